import { languageOf } from '../../../engine/text/spoken-language.ts';
import { ANY_UNSPACED, setOf } from '../../../engine/text/words.ts';
import functionWords from './function-words.json';

/** What separates a word from the next. */
type Gap = 'none' | 'pause' | 'colon' | 'stop';

export interface Word {
  readonly text: string;
  readonly after: Gap;
}

/** Normalises a word for lookup in the word lists. */
export const stripped = (word: string): string =>
  word.toLowerCase().replace(/^[^\p{L}\p{N}&+]+|[^\p{L}\p{M}\p{N}+#%&']+$/gu, '');

/** Splits a text into words and what follows each; marks inside numbers, file names and words end nothing. */
export const wordsIn = (text: string): Word[] => {
  const found: { text: string; after: Gap }[] = [];
  for (const line of text.split('\n')) {
    let formula = '';
    const chunks = line.trim().split(/\s+/);
    for (const [at, chunk] of chunks.entries()) {
      const { body = '', marks = '' } =
        /^(?<body>.*?)(?<marks>[.,;:!?…؟،।¿¡]*["”'’»)\]]*[.,;:!?…؟،।]*)$/u.exec(chunk)?.groups ?? {};
      const closing = marks.replace(/[.,;:!?…؟،।]/gu, '');
      const word = body.replace(/^[¿¡]+/u, '') + closing;
      const last = found.at(-1);
      if (!/[\p{L}\p{N}]/u.test(word)) {
        // A symbol between words keeps its place: "2x + 3", "A & B"; a dash is a pause.
        if (last !== undefined && (/^[=+*×÷&^<]+$/.test(chunk) || (chunk === '-' && /[=^]/.test(line))))
          formula = ` ${chunk} `;
        else if (last !== undefined && /^[–—-]+$|^[|/→>]+$|^[,;]$/.test(chunk))
          last.after = last.after === 'stop' ? 'stop' : 'pause';
        else if (last !== undefined && chunk === ':') last.after = 'colon';
        else if (last !== undefined && /[.!?…]/.test(chunk)) last.after = 'stop';
        continue;
      }
      if (formula !== '' && last !== undefined) {
        last.text += formula + word;
        last.after = /[.!?,;:]$/.test(marks) ? 'pause' : 'none';
        formula = '';
        continue;
      }
      const abbreviated =
        marks === '.' &&
        (/^(?:\p{L}|\p{L}\.\p{L}|vs|dr|mr|mrs|ms|st|no|nr|ca|bzw|z\.b|ggf)$/iu.test(body) ||
          // “2. Weltkrieg”: no sentence is a number at its beginning.
          (at === 0 && chunks.length > 1 && /^\p{Nd}{1,2}$/u.test(body)));
      const after: Gap =
        abbreviated || marks === ''
          ? 'none'
          : /[.!?…؟।]/u.test(marks)
            ? 'stop'
            : marks.includes(':')
              ? 'colon'
              : /[,;،]/u.test(marks)
                ? 'pause'
                : 'none';
      found.push({ text: abbreviated ? `${word}.` : word, after });
    }
    const last = found.at(-1);
    if (last !== undefined) last.after = 'stop';
  }
  return found;
};

/** Joins words into one line: a pause inside it is kept as a comma, a stop as a colon. */
export const joinWords = (said: readonly Word[]): string => {
  const line = said
    .map(({ text, after }, at) =>
      at === said.length - 1 || after === 'none' ? text : `${text}${after === 'pause' ? ',' : ':'}`,
    )
    .join(' ');
  return balanced(line);
};

export const isInQuotation = (said: readonly Word[]): boolean => {
  const line = said.map(({ text }) => text).join(' ');
  return (
    line.split('"').length % 2 === 0 ||
    line.split(/[“«]/).length > line.split(/[”»]/).length ||
    /(?:^|\s)'(?![^']*'(?:\s|$))/.test(line)
  );
};

/** Whether a bracket is open at the end: titles are not cut there. */
export const isOpen = (said: readonly Word[]): boolean => {
  const line = said.map(({ text }) => text).join(' ');
  return line.split(/[([]/).length > line.split(/[)\]]/).length;
};

/** Removes unpaired brackets and quotation marks. */
export const balanced = (line: string): string => {
  let text = line;
  for (const [open, close] of [
    ['(', ')'],
    ['[', ']'],
    ['{', '}'],
    ['“', '”'],
    ['«', '»'],
    ['「', '」'],
    ['『', '』'],
    ['《', '》'],
  ] as const) {
    if (text.split(open).length !== text.split(close).length) text = text.replaceAll(open, '').replaceAll(close, '');
  }
  if (text.includes('„') && !/„[^“”"]*[“”"]/.test(text)) text = text.replaceAll('„', '');
  if (text.split('"').length % 2 === 0) text = text.replaceAll('"', '');
  if (/^'/.test(text) && !/\w'(?:\s|$)/.test(text)) text = text.replace(/^'/, '');
  if (/'$/.test(text) && !/(?:^|\s)'/.test(text) && !/s'$/.test(text)) text = text.replace(/'$/, '');
  return text.trim();
};

/** Languages whose capital of “i” is “İ”, except in brands. */
const DOTTED = /^(?:tr|az)$/;
const BRAND_IN_I = /^(?:iphone|ipad|ios|imac|icloud|instagram|ikea|intel)/i;

export const capitalisedTitle = (text: string, language: string): string => {
  const [first = '', second = ''] = text.split(/\s/);
  // "iPhone", "y = 2x", "excel里" stay as written.
  if (/^\p{Ll}+\p{Lu}/u.test(first) || /^[=+*^<]/.test(second) || ANY_UNSPACED.test(text)) return text;
  const capital =
    DOTTED.test(language) && !BRAND_IN_I.test(first)
      ? text.slice(0, 1).toLocaleUpperCase(language)
      : text.slice(0, 1).toUpperCase();
  return capital + text.slice(1);
};

/**
 * Function words that no title may end on, by their effect on an adjacent cut. The stop word lists available as packages also
 * contain plain nouns ("day", "time", "Uhr"), so they would cut too much, and do not tell these two kinds apart.
 */
interface FunctionWords {
  /** Prepositions, conjunctions, question words, auxiliaries, subjects: they begin a new phrase. */
  readonly openers: ReadonlySet<string>;
  /** Articles, possessives, short adverbs: they belong to what follows, and so to a verb before them. */
  readonly leaners: ReadonlySet<string>;
}

const LANGUAGES: Readonly<Record<string, FunctionWords>> = Object.fromEntries(
  Object.entries(functionWords).map(([language, { openers, leaners }]) => [
    language,
    { openers: setOf(openers), leaners: setOf(leaners) },
  ]),
);

/** Detects the language of a text (ISO 639-1), by its function words if it is too short for anything else. */
export const titleLanguage = (text: string): string => {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return 'ja';
  if (/\p{Script=Han}/u.test(text)) return 'zh';
  if (/\p{Script=Thai}/u.test(text)) return 'th';
  if (/\p{Script=Hangul}/u.test(text)) return 'ko';
  const said = new Set(
    text
      .slice(0, 600)
      .toLowerCase()
      .replace(/’/g, "'")
      .match(/[\p{L}\p{M}']+/gu),
  );
  const guess = languageOf(text.slice(0, 600));
  const asksInEnglish = /^(?:tell|give|make|show|plan|write|find|get|teach|send|help|let) me\b/i.test(text.trimStart());
  const hits = Object.entries(LANGUAGES).map(([language, { openers, leaners }]) => {
    const found = [...said].filter((word) => openers.has(word) || leaners.has(word)).length;
    return {
      language,
      score: found + (language === guess ? 0.8 : 0) + (language === 'en' ? (asksInEnglish ? 1.1 : 0.1) : 0),
    };
  });
  const most = hits.reduce((a, b) => (b.score > a.score ? b : a));
  return most.score < 1 && !/[^\x20-\x7e]/.test(text) ? 'en' : most.score < 1 && guess !== null ? guess : most.language;
};

type Grammar = 'opens' | 'leans' | 'content';

/** Grammatical role of a word in a language; in an unlisted language every word is content. */
export const grammarOf = (word: string, language: string): Grammar => {
  const plain = word.toLowerCase().replace(/’/g, "'");
  const lists = LANGUAGES[language];
  if (lists === undefined) return 'content';
  if (lists.openers.has(plain)) return 'opens';
  return lists.leaners.has(plain) ? 'leans' : 'content';
};

/** A mark between what is said first and the rest, also an emoji; a hyphen only beside a space, unlike “hi-fi”. */
const MARK = String.raw`\s*(?:[,.!?:;…–—\n]|\p{Extended_Pictographic}|\p{Regional_Indicator}|-(?=\s)|$)|\s+[-¿¡(]`;
/** Behind a greeting: a language, or a word or two to the end, unlike “hi in which city …”. */
const IN_A_LANGUAGE =
  '(?:in(?: het)?|auf|en|em|på|na|на|po|по) (?:\\p{L}+(?:ish|ese|ench|ian|rman|isch|ais|ien)(?!\\p{L})|\\p{L}+(?: \\p{L}+)?[^\\p{L}]*$)';
/** What makes a greeting the matter itself: “hello world in python”, “thank you card for my teacher”, “selam ne demek”. */
const ABOUT_ITSELF = `(?:(?:text|message|card|note|letter|quote|image|picture|pic|gif|meme|e-?mail|wish|poem|song|speech|gift|sprüch|bild|gr[uü][sß]+|nachricht|karte)(?:e?[ns]|e)?|world|kitty|fresh|google|siri|jude|vis|res|tech|lyrics|chords|mundo|welt|monde|wereld|świecie|мир|america|dude shoes|next (?:lyrics|song|chords|meaning)|love (?:texts?|messages?|quotes?)|to(?! (?:all|everyone|you)\\b)|for|(?:so|very) much|a lot|vs|versus|mean(?:s|ing)?|bedeut\\p{L}*|heißt|ne demek|${IN_A_LANGUAGE})(?![\\p{L}\\p{N}])`;
/** Greetings and the like, cut except where they are the matter. */
const SALUTATIONS = [
  "(?:hi+|hello|hey+|good (?:morning|afternoon|evening))(?: (?:there|again|all|everyone|everybody|guys|folks|team(?! building)|chat ?gpt|ai|assistant))?|hiya|heya|greetings|g'day",
  '(?:hallo|hi|moin|servus|guten (?:morgen|tag|abend)) (?:zusammen|leute)|hallo|hallöchen|moin(?: moin)?|servus|grüß gott|grüezi|guten (?:morgen|tag|abend)|goedemorgen|goedemiddag|goedenavond|goeiedag|hoi(?! an\\b)',
  '(?:bonjour|bonsoir|salut)(?: (?:tout le monde|à tous))?|coucou|hola(?: a todos)?|buen[oa]s (?:días|dias|tardes|noches)|olá|bom dia|boa (?:tarde|noite)',
  'ciao(?: a tutti)?|buongiorno|buonasera|bon dia|bona tarda|bună ziua|hejsan|hejhej|god (?:morgon|kväll|morgen)|terve',
  'dzień dobry|dzien dobry|cześć|czesc|siema|dobrý (?:den|večer)|ahoj|čau|привет|здравствуйте|здравствуй|добрый (?:день|вечер)|доброе утро|вітаю|привіт|добрий (?:день|вечір)|доброго дня',
  'merhaba(?:lar)?|selam(?:lar)?|iyi (?:günler|akşamlar)|مرحبا|صباح الخير|مساء الخير|नमस्ते|namaste|xin chào|chào (?:bạn|anh|chị)|selamat (?:pagi|siang|sore|malam)',
  'thanks(?: (?:a lot|so much|in advance))?|thank you(?: (?:so|very) much)?',
  '(?:thanks|thank you)(?: (?:a lot|(?:so|very) much))? for (?:all|the|your|this|that|everything)(?: [^\\s,.!?;:]+){0,5}(?=[,.!;] ?\\S)',
].join('|');
/** “Quick question”, but not “random question generator” and “quick one pot pasta”. */
const QUESTION_AHEAD = [
  '(?:just )?(?:a )?(?:quick|stupid|silly|random|dumb) (?:question(?! (?:generator|marks?|bank|types?|tags?|time|of)\\b)|one(?! (?:pot|pan|bowl|dish|tray|skillet|mug|page|day|hour|minute|week|liner)\\b)|q)(?: for you)?',
  '(?:(?:mal )?(?:ne|eine) )?(?:kurze|schnelle|blöde|dumme|kleine) frage|una (?:cosa|pregunta|duda|consulta)|petite question|une (?:petite )?question|uma (?:pergunta|dúvida|duvida)|una domanda|(?:ett |et )?(?:snabb fråga|hurtigt spørgsmål)|szybkie pytanie|rychlý dotaz|(?:быстрый )?вопрос|bir soru(?:m var)?',
].join('|');
/** What begins nothing else. */
const ASIDES = [
  'oye|mano(?= meu)|السلام عليكم|สวัสดี(?:ครับ|ค่ะ)?',
  'digga|bruh|raga|yaar|kindly|please|pls|plz|porfa|por favor|per favore|alsjeblieft|che(?= (?:cu[aá]nto|c[oó]mo|qu[eé]|vos|me)\\b)',
  'step by step(?=:? how\\b)|i was wondering(?! (?:if|whether) (?:you|u)\\b)|btw|by the way|uh+|hm+|ok(?:ay)?(?: so)?(?! google\\b)|so(?= ["“])|also|anyway',
  'sag mal|sach mal|äh+m?|übrigens|mam pytanie|подскажите(?: пожалуйста)?|скажите(?: пожалуйста)?|підкажіть(?: будь ласка)?|لو سمحت|عندي سؤال|cho (?:em|mình|tôi) hỏi|mau tanya',
].join('|');
/** What people say before what they want, in the languages whose results we could read. */
const GREETINGS = new RegExp(
  `^(?:(?:${SALUTATIONS})(?=${MARK}|\\s+(?!${ABOUT_ITSELF}))|(?:yo(?! ma?m)|${QUESTION_AHEAD}|${ASIDES})(?=${MARK}|\\s))(?:[\\s,.!?:;…–—]|\\p{Extended_Pictographic}|\\p{Regional_Indicator}|-)*`,
  'iu',
);
/** Fillers that are words of other languages: German “um” and “so”, Portuguese “um”, French “but”, Vietnamese “so sánh”. */
const ENGLISH_FILLERS = /^(?:um+|so(?! s[áa]nh\s)|but)\s+/iu;
/** Fillers, but only if they stand alone before a mark. */
const FILLERS = new RegExp(
  `^(?:${[
    "(?:a )?(?:small |short |simple |weird )?question|(?:i have|i've got|got|have) a (?:quick |small |short )?question(?: for you)?|one (?:more )?(?:thing|question)|well|actually|honestly|basically|sorry|listen|look|right|yes|yeah|and|now|then|so|but|um+|help|any ideas?|morning|evening|mate|bro|dude",
    '(?:(?:ah+|oh+|ooh+|aha|hm+|ok(?:ay)?|cool|great|nice|perfect)[ ,]*){0,4}(?:ah+|oh+|ooh+|aha|ok(?:ay)?|cool|great|perfect|fine|all ?right|got it|gotcha|i see|understood|makes sense|fair enough|thanks|thank you|thx|ty|cheers|nvm|never ?mind|scratch that|forget (?:it|that)|lol|ha(?:ha)+|omg|wow)',
    '(?:and )?(?:now )?(?:(?:for |on )?something (?:else|different)(?: entirely| now)?|(?:(?:on )?to )?(?:an? )?(?:quite (?:an? )?|totally |completely |entirely )?(?:different|another|unrelated|separate|new|off) (?:topic|question|subject|matter|thing)|(?:totally |completely |entirely )?unrelated(?:ly)?|(?:totally|completely|entirely) different|change of (?:topic|subject)|was anderes|etwas anderes|anderes thema|themawechsel|otra cosa|cambiando de tema|autre chose|changement de sujet|altra cosa|cambiando argomento|outra coisa|mudando de assunto|iets anders|ander onderwerp)',
    '(?:can you |could you |pls |please )?help(?: me)?(?: out)?(?: please| pls)?|(?:can you |could you |would you )?help me with something|i need (?:some |your )?help|i wonder if you (?:could|can) help(?: me)?',
    '(?:eine )?frage(?: mal)?|also|alter|danke|hilfe|bitte|und|kannst du mir helfen|könnt ihr mir helfen|ich hab (?:mal )?(?:ne|eine) (?:kurze )?frage|(?:snelle |korte |klein )?vraagje?|une idée|dis(?:-moi)?|alors|merci|bon|pregunta|mira|che|buenas|gracias|buen día|oi|ola|então|obrigad[oa]|pergunta|domanda|allora|senti|scusa|salve|grazie|moi|hei|hej|tack|fråga|spørgsmål|pytanie|proszę|dotaz|вопрос|слушай|пожалуйста|питання|soru|سؤال|halo|permisi|buna|bună',
    "s['’]il (?:te|vous) pla[iî]t|stp|svp",
  ].join('|')})\\s*(?:[,.!?:;…–—]|\\s-\\s|$)[\\s,.!?:;…–—-]*`,
  'iu',
);
/** Behind a greeting: it is asked about, “你好用日语怎么说”, or part of a name, “你好世界”. */
const ABOUT_GREETING =
  '(?!ございます|하세요|的|(?:用?\\p{Script=Han}{1,2}[语語]|用?[中英日法德俄韩韓]文)(?:$|的|里|裡|是什|怎[么麼][说說读讀])|怎[么麼][说說读讀]|是?什[么麼]意思|世界(?![上各最])|[图圖]片(?![怎如])|[をはとの]|って|\\s*\\p{Script=Hangul}+(?:어로|말로|뜻)(?!\\s*(?:번역|써|쓰|답|대답|말해|설명|작성|알려)))';
const UNSPACED_GREETINGS = new RegExp(
  `^(?:(?:(?:你好|您好|大家好|早上好|晚上好|こんにちは|こんばんは|おはよう(?:ございます)?|すみません|안녕하세요|안녕)${ABOUT_GREETING}|哈喽|嗨|请问(?:一下)?|請問(?:一下)?|问一下|問一下|想问(?:一下)?|我想问(?:一下)?|麻烦(?![的了事])|はじめまして|質問です|ちょっと質問|教えてください|저기요|혹시|질문(?:이 있어요|있습니다)?)[啊呀哦吧が]?[\\s，,。.！!、:：?？~～]*)+`,
  'u',
);
/** Stripped only if something follows: "帮我写个…" is about what is written. */
const UNSPACED_REQUESTS =
  /^(?:(?:请|請)?(?:你)?(?:能不能|可以|能)?(?:帮|幫)(?=[我忙写寫想看查一个個]|翻译|解释)(?:我|忙)?(?:写|寫|想|看|查|翻译|解释)?(?:一下|一个|一個|个|個|一篇|一首|一份)?|给我写(?:个|一个|一篇)?|写(?:个|一个|一篇|一首)|我想(?![不你家他她念起到死象])(?:知道|了解|问)?(?:一下)?)(?=.{2})/u;

/** “Dime a qué hora”, “dimmi a che ora”: the preposition belongs to the question. */
const OF_A_QUESTION =
  '(?:qu[eé]|qui[eé]n(?:es)?|cu[aá]l(?:es)?|cu[aá]nt[oa]s?|quem|qual[ei]?|quais|quant[oaie]s?|cosa|che|chi)(?!\\p{L})';
/** Beginnings of requests that say nothing about the subject, cut only if enough remains. For these languages only. “Cómo” makes room for whom one tells. */
const REQUESTS: Readonly<Record<string, RegExp>> = {
  de: /^(?:(?:kannst|könntest|kann|können|könnten|magst) (?:du|sie|ihr)(?: mir| uns)?(?: bitte| mal| kurz)* |(?:hilf|erklär|erkläre|schreib|schreibe|sag|sage|gib|mach|zeig|nenn|nenne)(?: mir| uns)?(?: bitte| mal| kurz)* |ich (?:brauche?|suche?|möchte|will|hätte gern|würde gern)(?: bitte| mal)* |(?:brauche?|suche?) |(?:helfen|hilf mir) (?:bei|mit) )(?:(?:nen?|eine?n?|kurzen|kurze) )*/iu,
  nl: /^(?:(?:kun|kan) (?:je|u)(?: me| mij)?(?: even| eens)* |(?:schrijf|geef|leg|help|maak)(?: me| mij)?(?: even| eens)* |ik (?:zoek|wil|heb) |ge kookt )(?:een )?/iu,
  fr: /^(?:(?:peux-tu|pouvez-vous|pourrais-tu|pourriez-vous|tu peux|vous pouvez)(?: m['’]| me )?|(?:aide|écris|explique|donne|dis|fais)(?:-moi| moi)? |(?:j['’]aimerais|je (?:voudrais|veux|cherche)) |j['’]ai besoin d(?:es? |['’] ?)|qqn sait |(?:aider|expliquer|écrire|dire) (?:à )?)(?:une? )?/iu,
  es: new RegExp(
    `^(?:(?:puedes|podrías|podrias|puede|podría|me puedes|me ayudas(?:(?: a| con)(?! ${OF_A_QUESTION}))?)(?: (?:ayudarme|decirme|explicarme)(?:(?: a| con)(?! ${OF_A_QUESTION}))?)? |(?:ayúdeme|ayudame|ayúdame|explícame|explicame|escribe|escríbeme|dame|hazme|dime) (?:(?:a|con) (?!${OF_A_QUESTION}))?|(?:necesito|quiero|quisiera|busco|quiero saber) |¿?c[oó]mo (?=les? (?:digo|cuento|explico|pregunto|pido) al? ))(?:redactar |escribir )?(?:una? )?`,
    'iu',
  ),
  pt: new RegExp(
    `^(?:(?:você |vc )?(?:pode|poderia|podes)(?: me)?(?: ajudar)?(?:(?: a| com)(?! ${OF_A_QUESTION}))? |(?:me ajuda|escreve|escreva|explica|explique|faz|faça|me diz)(?:-me)? (?:(?:a|com) (?!${OF_A_QUESTION}))?|(?:preciso|quero|queria|procuro)(?: de)? )(?:uma? )?`,
    'iu',
  ),
  it: new RegExp(
    `^(?:(?:puoi|potresti|mi puoi|mi potresti)(?: (?:aiutarmi|spiegarmi|dirmi)(?:(?: a| con)(?! ${OF_A_QUESTION}))?)? |(?:aiutami|spiegami|scrivi|scrivimi|dammi|dimmi) (?:(?:a|con) (?!${OF_A_QUESTION}))?|(?:vorrei|voglio|cerco|devo|ho bisogno di) )(?:una? |uno )?`,
    'iu',
  ),
};

/** A role given to the model: what it is says more than that it is one. */
const ROLE =
  /^(?:act|behave|pretend)(?: as if| as| like| to be| that)?(?: you(?:['’]re| are| were))? (?:an?|my|our|the)\s+/i;
/** Not before somebody or something to whom it is done: “give him another chance”, “I need it gone”. */
const NO_OBJECT =
  "(?!(?:him|them|you|everyone|everybody|it(?! (?:support|help|job|department|skills))|her(?=\\s*$| (?:the|an?|my|that|to|i|i['’]m|about|how|what|why|if|when|some|another|more|back|gone|not)\\b))(?![-'’\\w]))";
/** Not before what belongs to the verb: “trying out for the team”. */
const NO_PARTICLE =
  '(?!(?<=\\b(?:want|try|trying|going|looking) )(?:up|off|out|down|over|away|back|after|forward)(?=\\s|$))';
/** Beginnings of requests: never shown if something follows. */
const ASKING: readonly RegExp[] = [
  /^(?:(?:i|we)(?:['’]?[dm]|['’]re| am| are| was| were| would)? |would )?(?:(?:just|really|also|only) )*(?:(?:want|need|like|love|prefer|ask|expect)(?: for)?|(?:wondering|wonder|wondered|curious) (?:if|whether)|hope|hoping|hoped)(?: that)? (?:you|u)(?: to| can| could| would| will| might| be able to| be willing to)+(?: please| maybe| perhaps| possibly| kindly| quickly)*\s+/i,
  ROLE,
  /^(?:can|could|would|will|cn) (?:you|u|someone|anyone|anybody|sb)(?: please| pls| plz| maybe| possibly| kindly| quickly| just)*\s+/i,
  /^(?:please|pls|plz|kindly|just(?! eat\b))\s+/i,
  /^(?:i(?:['’]m| am|m)? |we(?:['’]re| are)? )?(?:was )?(?:wondering|wonder|curious)(?: about| if| whether)?\s+/i,
  new RegExp(
    `^(?:need |want )?(?:help(?! (?:desk|line|centre|center|page|file|menu|wanted|yourself)\\b)|(?:guide|assist)(?= (?:me|us|with|to|on|in|how)\\b))(?: me| us)?(?: out)?(?: (?:with|to|on|in))?\\s+${NO_OBJECT}`,
    'i',
  ),
  new RegExp(
    `^(?:i|we)(?:['’]?(?:m|re|ve)| am| are| have)? (?:just |really |also |currently )*(?:(?:want|need|like|love|(?:have|had)(?! been\\b)|trying|try|planning|plan|hoping|hope|going|thinking|thinking about|looking|preparing|supposed)(?: to| for| on| of| about| into)?|looking for|['’]?d (?:like|love)(?: to)?)\\s+${NO_OBJECT}${NO_PARTICLE}`,
    'i',
  ),
  new RegExp(`^(?:i|we)['’]?d (?:like|love|want)(?: to)?\\s+${NO_OBJECT}`, 'i'),
  new RegExp(
    `^(?:need|want|wanna|wanted|looking for|searching for|trying to|gotta|have to)(?: to)?\\s+${NO_OBJECT}`,
    'i',
  ),
  /^(?:write|draft|compose|give|make|show|tell|find|suggest|recommend|get|send|text|teach|explain|list|describe|plan)(?: to)? (?:me|us)(?: please)?(?: (?:about|how to|what|why|the meaning of))?\s+/i,
  new RegExp(
    `^(?!(?:(?:list|draft) of|give (?:up|in|away|back|off|out)|write (?:off|down)|check (?:in|into|up|out(?! (?:my|our|the|this|these)))|tell (?:off|apart)|see (?:off|through))(?=\\s|$))(?:explain|describe|discuss|summari[sz]e|tell|clarify|suggest|recommend|provide|list|write|draft|compose|create|generate|give|look at|check|see|have a look at|know|figure out)(?: about| out| how| up| on| the difference between)?\\s+${NO_OBJECT}`,
    'i',
  ),
  /^here(?:['’]s| is| are|s)\s+/i,
  /^i wonder(?:ed)? if (?:you|u|anyone|someone) (?:could|can|would)(?: please)?\s+/i,
  /^is it true(?: that)?\s+/i,
  /^have i (?:ever |already )?(?:told you|mentioned)(?: about| that)?\s+/i,
  /^find out (?:whether|if)\s+/i,
  /^(?:the )?(?:best|easiest|quickest|fastest|cheapest|simplest|safest|right|proper|correct|good|any) way to\s+/i,
  /^(?:is|are|was|were)?\s*there(?:['’]?s| is| are|['’]?re)?(?: a way to| any way to| an easy way to)?\s+/i,
];
/** Beginnings of questions: shown if all of the question fits. */
const QUESTIONS: readonly RegExp[] = [
  /^(?:what|who|which|where|whats|whos|wheres)(?:['’]?s|['’]?re| is| are| was| were| would be)? (?:the |an? )?(?:best|good|better|easiest|easy|simple|quick|cheap|cheapest|safe|safest|right|proper|correct|fastest|difference|differences|meaning|point|deal|story)(?: way| place| thing)?(?: to| for| between| of| with)?\s+/i,
  /^(?:what|who|which|which one|where)(?:['’]?s|['’]?re| is| are| was| were)(?: an?)?(?: good)?\s+/i,
  /^how (?!(?:many|much) \S+ (?:can|do|does|did|should|would|will)\b)(?:many|much|long|often|far|old|tall|big|fast|hot|high|late|early|soon)(?:['’]?s| is| are| was| were| does| do| did| should| can| could| will| would| has| have)?(?: (?:i|we|you|u|one|it|they|there))?(?: take| have)?(?: to)?(?: be)?(?: to)?\s+/i,
  /^how (?:do|does|did|can|could|should|would|to|is|are|was|were|will|about|come|on earth do)(?: (?:i|we|you|u|one|people|they|it))?(?: best| properly| actually| even)?\s+/i,
  /^what (?:does it mean|happens|to do) (?:when|if)(?: (?:i|we|you|u|one))?\s+/i,
  /^what(?: exactly)? (?:do|does|did|can|could|should|would|will) (?:i|we|you|u|one|people)(?: do)?(?: to)?\s+/i,
  /^what (?=(?:an?|the)\s.+\s(?:is|are|was|were|means?|does|do)\b)/i,
  /^(?:how|why|when|where)(?:['’]?s)?(?: (?:is|are|was|were|do|does|did|would|will|can|should|has|have))(?: (?:i|we|you|u|it|they|people|he|she))?\s+/i,
  /^(?:is|are|was|were|does|do|did|can|could|will|would|should|has|have|am|may|must)(?: (?:i|we|you|u|it|they|he|she|that|this|there|people))?(?: (?:really |still |actually )?(?:have|need|got|allowed|able|ok|okay|safe|legal|possible|normal) to)?\s+/i,
];
/** Questions about something, and how to name it: "yeast in bread", "moons of mars", "candle wax out of a tablecloth". */
const MATTERS: readonly (readonly [RegExp, string])[] = [
  [
    /^what (?:do|does|did|would|will) (.{2,60}?) (?:actually |really |even )?do(?= (?:in|to|for|with|when|if|at|on)\b)/i,
    '$1',
  ],
  [/^what (?:do|does|did) (.{2,60}?) mean\b/i, '$1'],
  [/^which (\S+(?: \S+)?) (?:is|are|would be) (?:the )?(?:best|better|good|right)(?= (?:for|to|in|with)\b)/i, '$1'],
  [/^how (?:many|much) (.{2,30}?) (?:do|does|did) (.{2,40}?) have\b/i, '$1 of $2'],
  [
    /^how (?:do|can|should|would|to)(?: (?:i|we|you|u|one))? tell (?:(?:my|our|the) \S+(?: \S+)??|him|her|them)(?: that)? (?:i|we)(?:['’]?m| am|['’]?re| are)? (?:want|need|going|planning|have|would like)(?: to)? (?=\S+ \S)/i,
    '',
  ],
  [/^how (?:do|can|should|would|to)(?: (?:i|we|you|u|one))? get (?!rid\b)(?=(?:\S+ ){1,4}out of\b)/i, ''],
];
const LEADING_DETERMINERS =
  /^(?:(?:[Tt]he|[Tt]h(?:is|ese|at|ose))\s+(?=[\p{Ll}\p{N}"'“‘(])|(?:[Aa]n?|[Mm]y|[Oo]ur|[Ss]ome|[Aa]ny|[Yy]our|[Hh]is|[Hh]er|[Tt]heir|[Ii]ts)\s+)/u;

/** Strips leading greetings, fillers and polite words; empty if nothing else is left. */
export const withoutGreetings = (text: string, language: string): string => {
  const patterns = [GREETINGS, UNSPACED_GREETINGS, FILLERS, ...(language === 'en' ? [ENGLISH_FILLERS] : [])];
  let rest = text.trim();
  for (let before = ''; before !== rest; ) {
    before = rest;
    for (const pattern of patterns) rest = rest.replace(pattern, '').trimStart();
  }
  return rest;
};

/** Variants of a sentence: without the beginning of a request, and then with less and less of the beginning of a question. */
export const withoutFrames = (sentence: string, language: string): string[] => {
  if (language !== 'en') {
    const request = REQUESTS[language];
    const bare = request === undefined ? sentence : sentence.replace(request, '');
    return isEnough(bare) ? [bare] : [sentence];
  }
  const begun = withoutAll(sentence, ASKING).findLast(isEnough) ?? sentence;
  const matters = MATTERS.map(([asks, of]) => begun.replace(asks, of)).filter((matter) => matter !== begun);
  return [...withoutAll(begun, QUESTIONS), ...matters].flatMap((start) => {
    const bare = start.replace(LEADING_DETERMINERS, '');
    return bare === start || bare === '' ? [start] : [start, bare];
  });
};

const isEnough = (text: string): boolean => (text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0) > 1;

const withoutAll = (sentence: string, patterns: readonly RegExp[]): string[] => {
  const found = [sentence];
  let rest = sentence;
  for (let before = ''; before !== rest; ) {
    before = rest;
    for (const pattern of patterns) {
      const next = rest.replace(pattern, '');
      if (next === rest || !/[\p{L}\p{N}]/u.test(next)) continue;
      rest = next;
      found.push(rest);
    }
  }
  return found;
};

export const withoutUnspacedFrames = (text: string): string => text.replace(UNSPACED_REQUESTS, '');
