import type { Dialogue } from '../../engine/ports.ts';

/** A program refined turn by turn: an alternative approach is considered and abandoned, and three digressions return. */
export const code: Dialogue = {
  title: 'A script that finds duplicates',
  turns: [
    {
      message: 'I want a Python script that finds duplicate files in a folder. How would you go about it?',
      reply: `In two passes, so that little has to be read:

1. Group all files by size. A file whose size nobody shares cannot be a duplicate.
2. Within each group, hash the contents and group by hash.

Only files of equal size are ever opened, and equal hashes mean equal files for all practical purposes.`,
    },
    {
      message: 'Good. Show me the code.',
      reply: `~~~python
import hashlib
from collections import defaultdict
from pathlib import Path

def digest(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()

def grouped(paths, key):
    groups = defaultdict(list)
    for path in paths:
        groups[key(path)].append(path)
    return [group for group in groups.values() if len(group) > 1]

def duplicates(folder):
    files = [path for path in Path(folder).rglob("*") if path.is_file()]
    for same_size in grouped(files, lambda path: path.stat().st_size):
        yield from grouped(same_size, digest)
~~~

\`hashlib.file_digest\` needs Python 3.11 and reads in chunks, so large files do not fill the memory.`,
    },
    {
      message: 'My photo library is 400 GB. Will the script be fast enough?',
      reply:
        'The disk sets the pace: at 150 MB/s, reading everything would take about 45 minutes. Photos rarely share a size by chance, so most are never opened. Videos from the same camera can, though. To avoid reading those in full, hash only the first 64 KB at first and hash the rest only where that agrees.',
    },
    {
      message: 'Add that first-chunk check please.',
      reply: `~~~python
CHUNK = 64 * 1024

def head(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read(CHUNK)).digest()

def duplicates(folder):
    files = [path for path in Path(folder).rglob("*") if path.is_file()]
    for same_size in grouped(files, lambda path: path.stat().st_size):
        for same_head in grouped(same_size, head):
            yield from grouped(same_head, digest)
~~~

Each pass only sees what the cheaper one before it could not tell apart.`,
    },
    {
      message: 'By the way, what is the difference between MD5 and SHA-256?',
      reply:
        'Both turn any input into a short fingerprint: MD5 into 128 bits, SHA-256 into 256 bits. The difference that matters is security. For MD5 two different inputs with the same hash can be made in seconds, so it must not protect anything; for SHA-256 nobody knows how to make such a pair.',
    },
    {
      message: 'So is MD5 fine as long as nobody attacks me?',
      reply:
        'Against plain accidents, yes. By the birthday bound you would need on the order of 2^64 different files before two of them share an MD5 hash by chance. But SHA-256 is quick as well on current processors, which have instructions for it, so there is little to gain from the weaker one.',
    },
    {
      message: 'OK, back to the script: print the duplicate groups sorted by how much space they waste.',
      reply: `Every copy but one is waste:

~~~python
def wasted(group):
    return group[0].stat().st_size * (len(group) - 1)

for group in sorted(duplicates("Photos"), key=wasted, reverse=True):
    print(f"{wasted(group) / 1e6:,.1f} MB")
    for path in group:
        print("   ", path)
~~~

Sorting has to wait for the last group. If you would rather see results at once, print them as they come.`,
    },
    {
      message: 'Instead of hashing, could the script compare the files byte by byte?',
      reply: `Yes. The standard library has it:

~~~python
import filecmp
filecmp.cmp(first, second, shallow=False)
~~~

It stops at the first difference, and there is no hash to doubt. But it compares in pairs: a group of *n* files of equal size can take up to n(n − 1)/2 comparisons, where hashing reads each file once.`,
    },
    {
      message: 'When would that be the better choice?',
      reply:
        'Comparing byte by byte wins when groups are small, ideally pairs, and most candidates differ early: it then reads only the first block of each. It is also the right last step before deleting anything, if you want certainty rather than overwhelming odds. For large groups or slow disks, hashing is better.',
    },
    {
      message: 'Let us stay with the hashes then. Can the hashing use several cores?',
      reply: `Yes, and threads are enough, because \`hashlib\` releases Python's global lock while it works on large blocks:

~~~python
from concurrent.futures import ThreadPoolExecutor

def grouped_in_parallel(paths, key):
    with ThreadPoolExecutor() as pool:
        keys = dict(zip(paths, pool.map(key, paths)))
    return grouped(paths, keys.get)
~~~

It pays on an SSD. On a spinning disk, several readers at once make it slower.`,
    },
    {
      message: 'Something else entirely: is it bad for my laptop battery to stay plugged in all day?',
      reply:
        'A little. Lithium-ion cells age faster when they are kept full, and faster still when they are warm. Charging stops by itself, so nothing is overloaded, but if the laptop offers a limit of about 80 percent, switch it on. Lift it from the desk while it works hard, so that the heat gets out.',
    },
    {
      message: 'And how full should it be if I put it away for the summer?',
      reply:
        'About half. Switch the laptop off, not just to sleep, and store it somewhere cool and dry. Every few months look whether it has fallen below 20 percent or so, and bring it back to half: a cell that runs empty may not recover.',
    },
    {
      message:
        'Back to the duplicate finder. Add a --delete option: it should keep the oldest copy in each group and ask before it removes the others.',
      reply: `~~~python
import argparse

parser = argparse.ArgumentParser()
parser.add_argument("folder")
parser.add_argument("--delete", action="store_true")
options = parser.parse_args()

for group in duplicates(options.folder):
    oldest, *others = sorted(group, key=lambda path: path.stat().st_mtime)
    print("keep", oldest)
    for path in others:
        if options.delete and input(f"delete {path}? [y/N] ").lower() == "y":
            path.unlink()
~~~

Anything but *y* keeps the file, and without the option nothing is ever removed.`,
    },
    {
      message: 'What if two of the copies are hard links to the same file?',
      reply:
        'Then they look like duplicates but take space only once, and deleting one frees nothing. You can tell them by `stat()`: hard links share both `st_dev`, the device, and `st_ino`, the number of the file on it.',
    },
    {
      message: 'Leave hard links out of the groups then.',
      reply: `Keep one path for each real file before grouping:

~~~python
def one_per_file(paths):
    seen = {}
    for path in paths:
        info = path.stat()
        seen.setdefault((info.st_dev, info.st_ino), path)
    return list(seen.values())
~~~

In \`duplicates\`, write \`files = one_per_file(path for path in Path(folder).rglob("*") if path.is_file())\`. The rest stays as it is.`,
    },
    {
      message: 'Different question: what regular expression matches dates like 2024-05-31?',
      reply: `~~~
\\b\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])\\b
~~~

Four digits for the year, then a month from 01 to 12 and a day from 01 to 31. The \`\\b\` at both ends keeps it from matching inside a longer number.`,
    },
    {
      message: 'Does it reject the 30th of February?',
      reply:
        'No: it checks each field by itself, not the calendar. Let the pattern find candidates and the standard library judge them: `datetime.date.fromisoformat("2024-02-30")` raises a `ValueError`, because there is no such day.',
    },
    {
      message: 'Back to the duplicate finder one last time: how do I test the script without touching my photos?',
      reply: `With pytest, whose \`tmp_path\` is a fresh folder for every test:

~~~python
def test_equal_files_are_found(tmp_path):
    for name, text in [("a", "same"), ("b", "same"), ("c", "diff")]:
        (tmp_path / name).write_text(text)
    [group] = duplicates(tmp_path)
    assert {path.name for path in group} == {"a", "b"}
~~~

File *c* has the same size as the others, so the hash is put to the test too. Add a case for hard links and one for an empty folder.`,
    },
    {
      message: 'Going back to MD5 and SHA-256: where does BLAKE2 stand between those hashes?',
      reply:
        'BLAKE2 is as safe as SHA-256 against made-up collisions as far as anybody knows, and in pure software it is faster than either on 64-bit processors. Where the processor has instructions for SHA-256, that one catches up or wins. Python has it built in as `hashlib.blake2b`, so trying it is a change of one word.',
    },
  ],
};
