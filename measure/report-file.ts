/** A report in a file: between the marks of its part where the file is there already, so that what stands around it stays. Throws without marks. */
export const reportFile = (report: string, before: string | null, part = 'tables'): string => {
  const [begin, finish] = [`<!-- ${part} -->`, `<!-- /${part} -->`];
  const marked = `${begin}\n\n${report}\n\n${finish}`;
  if (before === null) return `# Results\n\n${marked}\n`;
  const start = before.indexOf(begin);
  const end = before.indexOf(finish, start);
  if (start < 0 || end < 0) {
    throw new Error(
      `it has no ${begin} with ${finish} after it: put them where the tables shall go, or name another file`,
    );
  }
  return before.slice(0, start) + marked + before.slice(end + finish.length);
};
