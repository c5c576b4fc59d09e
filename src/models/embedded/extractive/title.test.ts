import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { titleOf } from './title.ts';

const title = (message: string, reply = ''): string => titleOf({ message, reply });

describe('titles of topics', () => {
  it.each([
    ['my list page takes ages because 500 rows load one by one', 'My list page takes ages'],
    ['my dad turns 70, what do i get him', 'My dad turns 70'],
    ['how do i tell my boss i want to work from home on fridays', 'Work from home on fridays'],
    ['how do i tell my flatmate i want to move out', 'Tell my flatmate'],
    ['gift for my dad for his 70th, he has everything', 'Gift for my dad'],
    ['my cat threw up twice today', 'My cat threw up twice today'],
    ['paint that survives steam and grease for a kitchen', 'Paint that survives steam'],
    ['How do I season a cast iron pan?', 'Season a cast iron pan'],
    ['3. How do I season a cast iron pan?', 'Season a cast iron pan'],
    ["what's a good way to clean a cast iron pan", 'Clean a cast iron pan'],
    ['nvm. how do i write a cover letter for a first job', 'Write cover letter for first job'],
    ['ah ok. my bike chain keeps slipping', 'My bike chain keeps slipping'],
    ['Nice, Cannes or Antibes for a week in June?', 'Nice, Cannes or Antibes'],
    ['oh nice, thanks! how do i prune roses', 'How do i prune roses'],
    ['What is the difference between a violin and a viola?', 'Violin and a viola'],
    ['Hi! Could you explain the theory of plate tectonics to me?', 'Theory of plate tectonics'],
    ['You are a travel planner. Plan a week in Scotland for my parents.', 'Plan a week in Scotland'],
    ['hi, can you help me with my tax return', 'My tax return'],
    ['um how do i prune roses', 'How do i prune roses'],
    ['so my cat is fat', 'My cat is fat'],
    ['ok so 6 ohm n 3 ohm parallel', '6 ohm n 3 ohm parallel'],
    ['but why does bread rise', 'Why does bread rise'],
    ['when do i prune roses', 'When do i prune roses'],
    ['The Beatles or the Stones?', 'The Beatles or the Stones'],
    ['nothing works!', 'Nothing works'],
    ['nothing seems right', 'Nothing seems right'],
    ['not really', 'Short message'],
    ['Give up sugar for a month', 'Give up sugar for a month'],
    ["tell him I'm late", "Tell him I'm late"],
    ['tell her the truth', 'Tell her the truth'],
    ['tell her story in a novel', 'Her story in a novel'],
    ['I want you back', 'I want you back'],
    ['I need it gone', 'I need it gone'],
    ['i need it support in Leeds', 'It support in Leeds'],
    ['write off my car', 'Write off my car'],
    ['write about my holiday in Wales', 'My holiday in Wales'],
    ['check in online for my flight', 'Check in online for my flight'],
    ['check out my new website', 'My new website'],
    ['help desk jobs', 'Help desk jobs'],
    ['help writing a cover letter', 'Writing a cover letter'],
    ['guide dogs for the blind', 'Guide dogs for the blind'],
    ['kindly guide how to submit a life certificate', 'How to submit a life certificate'],
    ['trying out for the swim team', 'Trying out for the swim team'],
    ['trying to lose weight', 'Lose weight'],
    ['I need back pain relief', 'Back pain relief'],
    ['have i told you about my knee', 'My knee'],
    ['have i got enough paint for a door', 'Got enough paint for a door'],
    ['morning sickness remedies', 'Morning sickness remedies'],
    ['solve 3x^2 - 5x = 12 for x', 'Solve 3x^2 - 5x = 12 for x'],
    ['iPhone wont charge anymore', 'iPhone wont charge anymore'],
    ['Something else: how do I say in Portuguese that my daughter is allergic to nuts?', 'Say in Portuguese'],
    ['unrelated question, when do i prune roses', 'When do i prune roses'],
    ['Completely different: my bike chain keeps slipping under load, why?', 'My bike chain keeps slipping'],
    ['totally unrelated, my roses are dying', 'My roses are dying'],
    ['totally different animals that look alike', 'Totally different animals that look alike'],
    ['different ways to cook eggs', 'Different ways to cook eggs'],
    ['Now to quite another matter: why do octopuses have three hearts?', 'Why do octopuses have three hearts'],
    ['A new subject: what does yeast do in bread?', 'What does yeast do in bread'],
    ["permission slip for my daughter's zoo trip, short", 'Permission slip'],
    ['how do you say "keep the change" in italian', 'Say "keep the change" in italian'],
    ['cheapest way to get from fiumicino to trastevere at midnight', 'Get from fiumicino to trastevere'],
    ["find out whether Dr. Okoro's surgery is open tomorrow evening", "Dr. Okoro's surgery is open"],
    ['neighbour said "be a good sport". did i do something wrong?', 'Neighbour said "be good sport"'],
    ['step by step how to tie a bow tie, wedding in 40 mins', 'Tie a bow tie'],
    ['what does the red light on my boiler do when it blinks', 'Red light on my boiler'],
    ['how many moons does mars have', 'How many moons does mars have'],
    ['tell me a joke about penguins', 'A joke about penguins'],
    ['plan me three days in porto with a toddler', 'Three days in porto'],
    ['how do i get candle wax out of a tablecloth', 'Candle wax out of a tablecloth'],
    ['what do the lights on my router mean', 'Lights on my router'],
    ['what should i cook with leftover rice and some eggs', 'Cook with leftover rice'],
    ['what to do if you get locked out of your apartment', 'Get locked out of your apartment'],
    ['which flour is best for pizza dough', 'Flour for pizza dough'],
    ['how old do you have to be to rent a car in spain', 'Rent a car in spain'],
    ['why does my laptop fan get so loud when i watch videos', 'Laptop fan get so loud'],
    ['import taxes from china\nhow much do i pay', 'Import taxes from china'],
    ['list of european countries without an army', 'List of european countries'],
    ['draft of my essay', 'Draft of my essay'],
    ['just eat refund not received', 'Just eat refund not received'],
    ['i have been feeling tired lately', 'I have been feeling tired lately'],
    ["why won't my printer connect to wifi", "Why won't my printer connect"],
    ['why doesnt it rain in the desert', 'Why doesnt it rain'],
    ['why cant i fall asleep at night', 'Why cant i fall asleep'],
    ['Themawechsel: Fahrradkette springt ständig ab', 'Fahrradkette springt ständig ab'],
    ["I'd like you to write a poem about frost", 'A poem about frost'],
    ['i want you to help me plan a trip to Wales', 'Plan a trip to Wales'],
    ['I need you to check this letter for mistakes', 'This letter for mistakes'],
    ['i’d love for you to review my essay on bees', 'Review my essay on bees'],
    ['I was wondering if you could explain how a heat pump works', 'A heat pump works'],
    ['Hi, I was wondering if you would be able to help me with my CV', 'My CV'],
    ['I wonder if you could recommend a book about Rome', 'A book about Rome'],
    ['i was wondering how bees sleep', 'How bees sleep'],
    ['I’m hoping you can explain inflation to a child', 'Inflation to a child'],
    ['I want you to act as a job interviewer for the position of nurse', 'Job interviewer for the position'],
    [
      'I want you to act as a linux terminal. I will type commands and you will reply with its output.',
      'Linux terminal',
    ],
    ['Act as my math teacher. Explain integrals by parts.', 'Integrals by parts'],
    ['i want you to pretend you are a pirate', 'Pretend you are a pirate'],
  ])('%s', (message, expected) => {
    expect(title(message)).toBe(expected);
  });

  it.each([
    ['good morning text for my girlfriend', 'Good morning text for my girlfriend'],
    ['good morning america host', 'Good morning america host'],
    ['hey dude shoes', 'Hey dude shoes'],
    ['thank you next lyrics', 'Thank you next lyrics'],
    ['good morning love quotes', 'Good morning love quotes'],
    ['thank you in japanese', 'Thank you in japanese'],
    ['hello world in python', 'Hello world in python'],
    ['thank you card for my teacher', 'Thank you card for my teacher'],
    ['thank you for your order email template', 'Thank you for your order'],
    ['hi-fi speakers for a small room', 'Hi-fi speakers for a small room'],
    ['yo-yo tricks for beginners', 'Yo-yo tricks for beginners'],
    ['hoi an 3 day itinerary', 'Hoi an 3 day itinerary'],
    ['quick one pot pasta recipes', 'Quick one pot pasta recipes'],
    ['random question generator', 'Random question generator'],
    ["ok google doesn't respond", "Ok google doesn't respond"],
    ['guten morgen sprüche für whatsapp', 'Guten morgen sprüche für whatsapp'],
    ['bonjour en japonais', 'Bonjour en japonais'],
    ['hola mundo en java', 'Hola mundo en java'],
    ['привет на японском', 'Привет на японском'],
    ['selam ne demek', 'Selam ne demek'],
    ['good morning in spanish for my boss', 'Good morning in spanish'],
    ['thank you speech for a retiring colleague', 'Thank you speech'],
    ["hey google doesn't answer me", "Hey google doesn't answer me"],
    ['thanks to my brother i have a boat', 'Thanks to my brother'],
    ['你好用日语怎么说', '你好用日语怎么说'],
    ['안녕하세요 일본어로', '안녕하세요 일본어로'],
    ['こんにちはを韓国語で', 'こんにちはを韓国語で'],
  ])('keep a greeting that is what the message is about: %s', (message, expected) => {
    expect(title(message)).toBe(expected);
  });

  it.each([
    ['hi my cat is sick', 'My cat is sick'],
    ['hi\nmy sourdough never rises', 'My sourdough never rises'],
    ['hi 👋 how do i prune roses', 'How do i prune roses'],
    ['hello - how long do i boil eggs', 'How long do i boil eggs'],
    ['good evening can you plan a trip to wales', 'Plan a trip to wales'],
    ['thank you so much! how do i prune roses', 'How do i prune roses'],
    ['quick question how long do eggs keep', 'How long do eggs keep'],
    ['hallo ich brauche eine wohnung in berlin', 'Wohnung in berlin'],
    ['bonjour je cherche un cadeau pour ma mère', 'Cadeau pour ma mère'],
    ['hola quiero aprender ingles rapido', 'Quiero aprender ingles rapido'],
    ['привет как убрать накипь в чайнике', 'Как убрать накипь в чайнике'],
    ['您好请问怎么退货', '怎么退货'],
    ['hi write a poem about rain', 'A poem about rain'],
    ['hi explain the water cycle', 'The water cycle'],
    ['hi give me three ideas for dinner', 'Three ideas for dinner'],
    ['hello the wifi is slow', 'The wifi is slow'],
    ['hi today i want to bake bread', 'Today i want to bake bread'],
    ['hi if i eat old rice do i get sick', 'If i eat old rice'],
    ['hi chatgpt how do i prune roses', 'How do i prune roses'],
    ['hi ai how do i prune roses', 'How do i prune roses'],
    ['good morning everyone how do i prune roses', 'How do i prune roses'],
    ['good morning all, how do i prune roses', 'How do i prune roses'],
    ['quick question if i eat rice is it bad', 'If i eat rice'],
    ['kurze frage darf ich im park grillen', 'Darf ich im park grillen'],
    ['thanks for the help, now explain dns to me', 'Now explain dns to me'],
    ['hi my friend is sick', 'My friend is sick'],
    ['hi my love is far away', 'My love is far away'],
    ['hi in which city was mozart born', 'In which city was mozart born'],
    ['hello 🇩🇪 how to say cheese', 'How to say cheese'],
    ['hola ¿cómo hago pan?', 'Cómo hago pan'],
    ['bonjour est ce que le riz se conserve', 'Est ce que le riz'],
    ['bonjour tout le monde je cherche un cadeau', 'Je cherche un cadeau'],
    ['hallo schreib mir ein gedicht über regen', 'Gedicht über regen'],
    ['bonjour explique-moi le dns', 'Le dns'],
    ["ciao cos'è il dns", "Cos'è il dns"],
    ['olá o wifi está lento', 'O wifi está lento'],
    ['привет мне нужен ноутбук', 'Мне нужен ноутбук'],
    ['cześć co to jest dns', 'Co to jest dns'],
    ['merhaba dns nedir', 'Dns nedir'],
    ['مرحبا لماذا السماء زرقاء', 'لماذا السماء زرقاء'],
    ['你好怎么写辞职信', '怎么写辞职信'],
    ['你好英语作文怎么写', '英语作文怎么写'],
    ['你好世界上最高的山是什么', '世界上最高的山是什么'],
    ['你好图片怎么压缩', '图片怎么压缩'],
    ['こんにちは はまぐりの食べ方', 'はまぐりの食べ方'],
    ['안녕하세요 영어로 번역해줘', '영어로 번역해줘'],
  ])('cut a greeting before a clause of its own: %s', (message, expected) => {
    expect(title(message)).toBe(expected);
  });

  it.each([
    ['hallo, kurze frage: wie lange hält sich reis im kühlschrank', 'Wie lange hält sich reis'],
    [
      'Guten Morgen! Kannst du mir bitte einen Brief an die Hausverwaltung schreiben?',
      'Brief an die Hausverwaltung schreiben',
    ],
    ['Um wie viel Uhr fährt der letzte Zug nach Köln?', 'Um wie viel Uhr'],
    ['so lange schlafen Katzen?', 'So lange schlafen Katzen'],
    ['So, jetzt zu den Tomaten', 'Jetzt zu den Tomaten'],
    ['um ajudante sem registro', 'Um ajudante sem registro'],
    ['But de la vie selon Aristote', 'But de la vie selon Aristote'],
    ['So sánh iPhone và Samsung giúp mình', 'So sánh iPhone và Samsung'],
    ['¿Cómo le digo a mi jefe que quiero renunciar?', 'Le digo a mi jefe'],
    ['¿Cómo le quito el óxido a la bici?', 'Cómo le quito el óxido'],
    ['oye una cosa, cuanto tarda la lasaña', 'Cuanto tarda la lasaña'],
    ['bonjour, petite question, comment on enlève une tache de vin', 'Comment on enlève une tache'],
    ['ciao, differenza tra cappuccino e latte macchiato', 'Differenza tra cappuccino e latte macchiato'],
    ['bom dia, receita de bolo de cenoura', 'Receita de bolo de cenoura'],
    ['hoi, fietsband loopt steeds leeg', 'Fietsband loopt steeds leeg'],
    ['привет, подскажите, как убрать накипь в чайнике', 'Как убрать накипь в чайнике'],
    ['dzień dobry, ciasto drożdżowe nie rośnie', 'Ciasto drożdżowe nie rośnie'],
    ['ingilizce nasıl öğrenilir', 'İngilizce nasıl öğrenilir'],
    ['ıspanak nasıl yapılır', 'Ispanak nasıl yapılır'],
    ['iphone ekranı kırıldı', 'Iphone ekranı kırıldı'],
    ['il tempo a istanbul', 'Il tempo a istanbul'],
    ['你好，请帮我写一封辞职信，谢谢', '一封辞职信'],
    ['冰箱里的米饭放了五天还能不能吃啊我有点担心', '冰箱里的米饭放了五天'],
    ['こんにちは、洗濯機の排水が止まらない', '洗濯機の排水が止まらない'],
    ['안녕하세요, 김치찌개 2인분', '김치찌개 2인분'],
    ['帮助孩子学英语的方法', '帮助孩子学英语的方法'],
    ['帮宝适纸尿裤怎么样', '帮宝适纸尿裤怎么样'],
    ['我想不起来密码了', '我想不起来密码了'],
    ['我想你用英语怎么说', '我想你用英语怎么说'],
    ['麻烦的同事怎么相处', '麻烦的同事怎么相处'],
    ['麻烦帮我写一首诗送给老师', '诗送给老师'],
    ['我想知道怎么退货', '怎么退货'],
    ["j'ai besoin des horaires de train", 'Horaires de train'],
    ["j'ai besoin d'un cadeau pour ma mère", 'Cadeau pour ma mère'],
    ['spiegami a cosa serve il dns', 'A cosa serve il dns'],
    ['dime a qué hora sale el tren', 'A qué hora sale el tren'],
    ['2. weltkrieg zusammenfassung', '2. weltkrieg zusammenfassung'],
    ['5. klasse mathe übungen', '5. klasse mathe übungen'],
    ['2. dünya savaşı özeti', '2. dünya savaşı özeti'],
  ])('in the language of %s', (message, expected) => {
    expect(title(message)).toBe(expected);
  });

  it.each([
    [
      'function Row({ item }: Props) {\n  const [open, setOpen] = useState(false);\n  return <li>{item.name}</li>;\n}',
      'React component Row',
    ],
    [
      'my react list rerenders every row\n\nfunction Row({ item }) {\n  return <li>{item}</li>;\n}',
      'My react list rerenders every row',
    ],
    [
      '$ ls -la /usr/share/ollama\ntotal 12\ndrwxr-xr-x 3 ollama ollama 4096 May  2 10:11 .',
      'Directory listing of /usr/share/ollama',
    ],
    ['$ 500 budget for a gaming laptop', '500 budget for a gaming laptop'],
    ['$ 300 rent\n$ 50 power\n$ 20k savings', '300 rent: 50 power'],
    ['$ 7z x photos.7z', 'Output of 7z'],
    ['$ ./run.sh --fast', 'Output of ./run.sh'],
    ['$ npm run build\nfailed', 'Output of npm'],
    ['ls -la /opt/app\ndrwxr-xr-x 3 app app 4096 May  2 10:11 .', 'Directory listing of /opt/app'],
    [
      'Traceback (most recent call last):\n  File "x.py", line 3, in <module>\nValueError: invalid literal',
      'Python error: ValueError',
    ],
    ['whats wrong here\n```python\nprint(1\n```', 'Python code'],
    ['explain this\n```\ndef area(r):\n    return r * r\n```', 'Python function area'],
    ['diff --git a/src/x.ts b/src/x.ts\n--- a/src/x.ts\n+++ b/src/x.ts\n@@ -1 +1 @@\n-a\n+b', 'Diff of x.ts'],
    ['{"name": "coppice", "private": true}', 'JSON data'],
    ['id,name,price\n1,apple,2\n2,pear,3', 'CSV data'],
    ['# Release notes 2.4\n\nWe fixed the login.\n- a\n- b', 'Release notes 2.4'],
    ['Minutes of the garden club\nPresent: Ann, Bo\n\n- hedges\n- compost', 'Minutes of the garden club'],
  ])('of what is pasted: %j', (message, expected) => {
    expect(title(message)).toBe(expected);
  });

  it.each([
    '',
    '   ',
    'ok',
    'Hi!',
    'Thanks a lot.',
    '🎉🎉',
    '42',
    'Tents?',
    '```python\nprint(1)\n```',
    '¿Cuáles son las mejores playas de Galicia para niños pequeños y sus abuelos?',
    'I want to I want to I want to',
    'The '.repeat(5000),
    'x'.repeat(20_000),
    '$$$ ### @@@',
  ])('has a name of one to six words for %j', (message) => {
    const named = title(message);
    expect(named).not.toBe('');
    expect(named.split(' ').length).toBeLessThanOrEqual(6);
    expect(named).not.toMatch(/[.\n]$/);
    expect(named).not.toMatch(/undefined|null/);
  });

  it('has two words or more in English', () => {
    for (const message of ['Tents?', 'Explain photosynthesis', 'hotels', 'What about Rome?']) {
      expect(title(message).split(' ').length).toBeGreaterThan(1);
    }
  });

  it('are one line of bounded length, whatever the message', () => {
    const words = fc
      .array(
        fc.oneof(fc.constantFrom('the', 'my', 'cat', '(', '"', 'de', '猫', '、', '-', '\n', '```', '3'), fc.string()),
      )
      .map((parts) => parts.join(' '));
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'grapheme', maxLength: 400 }), words), (message) => {
        const named = title(message);
        expect(named.trim()).not.toBe('');
        expect(named.length).toBeLessThanOrEqual(60);
        expect(named).not.toMatch(/[\n\r\u2028\u2029]/);
      }),
    );
  });
});

describe('a title made anew with the second turn', () => {
  const then = (message: string, second: string) =>
    titleOf({ message, reply: '', second: { message: second, reply: '' } });

  it('says what the first turn left unsaid', () => {
    expect(then('hi, can you help me with something', 'my sourdough never rises')).toBe('My sourdough never rises');
    expect(then('look at this', 'the brakes squeal when cold')).toBe('Brakes squeal when cold');
    expect(then('whats wrong here\n```python\nprint(1\n```', 'sorting a list by two keys')).toBe(
      'Sorting a list by two keys',
    );
  });

  it('stays where the first turn says it, or the second says nothing', () => {
    expect(then('my cat threw up twice today', 'only water since then')).toBe('My cat threw up twice today');
    expect(then('hello!', 'ok')).toBe('A greeting');
    const query = 'SELECT name, count(*) FROM orders GROUP BY id;';
    expect(then(`${query} why does it complain`, 'ah ok. and how do i only get those with more than 5')).toBe(
      'SQL query on orders',
    );
  });
});
