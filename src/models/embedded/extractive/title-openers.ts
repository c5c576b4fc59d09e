/** What people say before they say what they want, in the languages that we could read tries of. */
/** Greetings and the like, which nothing else begins with. */
const GREETINGS = new RegExp(
  `^(?:${[
    "hi+|hello|hey+|yo|hiya|heya|greetings|good (?:morning|afternoon|evening)|g'day|(?:hi|hello|hey) (?:there|again|all|everyone|guys|folks|team)",
    'hallo|hallöchen|hi zusammen|moin(?: moin)?|servus|grüß gott|grüezi|guten (?:morgen|tag|abend)|goedemorgen|goedemiddag|goedenavond|goeiedag|hoi',
    'bonjour|bonsoir|salut|coucou|hola|buen[oa]s (?:días|dias|tardes|noches)|oye|olá|bom dia|boa (?:tarde|noite)|mano(?= meu)',
    'ciao(?: a tutti)?|buongiorno|buonasera|bon dia|bona tarda|bună ziua|hejsan|hejhej|god (?:morgon|kväll|morgen)|terve',
    'dzień dobry|dzien dobry|cześć|czesc|siema|dobrý (?:den|večer)|ahoj|čau|привет|здравствуйте|здравствуй|добрый (?:день|вечер)|доброе утро|вітаю|привіт|добрий (?:день|вечір)|доброго дня',
    'merhaba(?:lar)?|selam(?:lar)?|iyi (?:günler|akşamlar)|مرحبا|السلام عليكم|صباح الخير|مساء الخير|नमस्ते|namaste|xin chào|chào (?:bạn|anh|chị)|selamat (?:pagi|siang|sore|malam)|สวัสดี(?:ครับ|ค่ะ)?',
    'digga|bruh|raga|yaar|kindly|please|pls|plz|porfa|por favor|per favore|alsjeblieft|che(?= (?:cu[aá]nto|c[oó]mo|qu[eé]|vos|me)\\b)',
    '(?:just )?(?:a )?(?:quick|stupid|silly|random|dumb) (?:question|one|q)(?: for you)?|i was wondering|btw|by the way|um+|uh+|hm+|ok(?:ay)?|so|but|also|anyway|thanks(?: (?:a lot|so much|in advance))?|thank you',
    '(?:(?:mal )?(?:ne|eine) )?(?:kurze|schnelle|blöde|dumme|kleine) frage|sag mal|sach mal|äh+m?|übrigens|una (?:cosa|pregunta|duda|consulta)|petite question|une (?:petite )?question|uma (?:pergunta|dúvida|duvida)|una domanda|(?:ett |et )?(?:snabb fråga|hurtigt spørgsmål)|szybkie pytanie|mam pytanie|rychlý dotaz|(?:быстрый )?вопрос(?= )|подскажите(?: пожалуйста)?|скажите(?: пожалуйста)?|підкажіть(?: будь ласка)?|bir soru(?:m var)?|لو سمحت|عندي سؤال|cho (?:em|mình|tôi) hỏi|mau tanya',
  ].join('|')})(?=[\\s,.!?:;…–—-]|$)[\\s,.!?:;…–—-]*`,
  'iu',
);
/** What is one only where it stands alone before a mark. */
const FILLERS = new RegExp(
  `^(?:${[
    "(?:a )?(?:small |short |simple |weird )?question|(?:i have|i've got|got|have) a (?:quick |small |short )?question(?: for you)?|one (?:more )?(?:thing|question)|well|actually|honestly|basically|sorry|listen|look|right|yes|yeah|and|now|then|help|any ideas?|morning|evening|mate|bro|dude",
    '(?:can you |could you |pls |please )?help(?: me)?(?: out)?(?: please| pls)?|(?:can you |could you |would you )?help me with something|i need (?:some |your )?help|i wonder if you (?:could|can) help(?: me)?',
    '(?:eine )?frage(?: mal)?|also|alter|danke|hilfe|bitte|und|kannst du mir helfen|könnt ihr mir helfen|ich hab (?:mal )?(?:ne|eine) (?:kurze )?frage|(?:snelle |korte |klein )?vraagje?|une idée|dis(?:-moi)?|alors|merci|bon|pregunta|mira|che|buenas|gracias|buen día|oi|ola|então|obrigad[oa]|pergunta|domanda|allora|senti|scusa|salve|grazie|moi|hei|hej|tack|fråga|spørgsmål|pytanie|proszę|dotaz|вопрос|слушай|пожалуйста|питання|soru|سؤال|halo|permisi|buna|bună',
    "s['’]il (?:te|vous) pla[iî]t|stp|svp",
  ].join('|')})\\s*(?:[,.!?:;…–—]|\\s-\\s|$)[\\s,.!?:;…–—-]*`,
  'iu',
);
const UNSPACED_GREETINGS =
  /^(?:(?:你好|您好|大家好|早上好|晚上好|哈喽|嗨|请问(?:一下)?|請問(?:一下)?|问一下|問一下|想问(?:一下)?|我想问(?:一下)?|麻烦|こんにちは|こんばんは|おはよう(?:ございます)?|はじめまして|すみません|質問です|ちょっと質問|教えてください|안녕하세요|안녕|저기요|혹시|질문(?:이 있어요|있습니다)?)[啊呀哦吧が]?[\s，,。.！!、:：?？~～]*)+/u;
/** Only where something follows: "帮我写个…" is about what is written. */
const UNSPACED_REQUESTS =
  /^(?:(?:请|請)?(?:你)?(?:能不能|可以|能)?(?:帮|幫)(?:我|忙)?(?:写|寫|想|看|查|翻译|解释)?(?:一下|一个|一個|个|個|一篇|一首|一份)?|给我写(?:个|一个|一篇)?|写(?:个|一个|一篇|一首)|我想(?:知道|了解|问)?(?:一下)?)(?=.{2})/u;

/** What begins a request and says nothing of its matter; cut only where enough stays. In no language but these. */
const REQUESTS: Readonly<Record<string, RegExp>> = {
  de: /^(?:(?:kannst|könntest|kann|können|könnten|magst) (?:du|sie|ihr)(?: mir| uns)?(?: bitte| mal| kurz)* |(?:hilf|erklär|erkläre|schreib|schreibe|sag|sage|gib|mach|zeig|nenn|nenne)(?: mir| uns)?(?: bitte| mal| kurz)* |ich (?:brauche?|suche?|möchte|will|hätte gern|würde gern)(?: bitte| mal)* |(?:brauche?|suche?) |(?:helfen|hilf mir) (?:bei|mit) )(?:(?:nen?|eine?n?|kurzen|kurze) )*/iu,
  nl: /^(?:(?:kun|kan) (?:je|u)(?: me| mij)?(?: even| eens)* |(?:schrijf|geef|leg|help|maak)(?: me| mij)?(?: even| eens)* |ik (?:zoek|wil|heb) |ge kookt )(?:een )?/iu,
  fr: /^(?:(?:peux-tu|pouvez-vous|pourrais-tu|pourriez-vous|tu peux|vous pouvez)(?: m['’]| me )?|(?:aide|écris|explique|donne|dis|fais)(?:-moi| moi)? |(?:j['’]aimerais|je (?:voudrais|veux|cherche)|j['’]ai besoin d['’e]) ?|qqn sait |(?:aider|expliquer|écrire|dire) (?:à )?)(?:une? )?/iu,
  es: /^(?:(?:puedes|podrías|podrias|puede|podría|me puedes|me ayudas(?: a| con)?)(?: (?:ayudarme|decirme|explicarme)(?: a| con)?)? |(?:ayúdeme|ayudame|ayúdame|explícame|explicame|escribe|escríbeme|dame|hazme|dime) (?:a |con )?|(?:necesito|quiero|quisiera|busco|quiero saber) )(?:redactar |escribir )?(?:una? )?/iu,
  pt: /^(?:(?:você |vc )?(?:pode|poderia|podes)(?: me)?(?: ajudar)?(?: a| com)? |(?:me ajuda|escreve|escreva|explica|explique|faz|faça|me diz)(?:-me)? (?:a |com )?|(?:preciso|quero|queria|procuro)(?: de)? )(?:uma? )?/iu,
  it: /^(?:(?:puoi|potresti|mi puoi|mi potresti)(?: (?:aiutarmi|spiegarmi|dirmi)(?: a| con)?)? |(?:aiutami|spiegami|scrivi|scrivimi|dammi|dimmi) (?:a |con )?|(?:vorrei|voglio|cerco|devo|ho bisogno di) )(?:una? |uno )?/iu,
};

/** What a request begins with: never shown, where something follows it. */
const ASKING: readonly RegExp[] = [
  /^(?:can|could|would|will|cn) (?:you|u|someone|anyone|anybody|sb)(?: please| pls| plz| maybe| possibly| kindly| quickly| just)*\s+/i,
  /^(?:please|pls|plz|kindly|just)\s+/i,
  /^(?:i(?:['’]m| am|m)? |we(?:['’]re| are)? )?(?:was )?(?:wondering|wonder|curious)(?: about| if| whether)?\s+/i,
  /^(?:need |want )?(?:help|guide|assist)(?: me| us)?(?: out)?(?: (?:with|to|on|in))?\s+/i,
  /^(?:i|we)(?:['’]?(?:m|re|ve)| am| are| have)? (?:just |really |also |currently )*(?:(?:want|need|like|love|have|had|trying|try|planning|plan|hoping|hope|going|thinking|thinking about|looking|preparing|supposed)(?: to| for| on| of| about| into)?|looking for|['’]?d (?:like|love)(?: to)?)\s+/i,
  /^(?:i|we)['’]?d (?:like|love|want)(?: to)?\s+/i,
  /^(?:need|want|wanna|wanted|looking for|searching for|trying to|gotta|have to)(?: to)?\s+/i,
  /^(?:write|draft|compose|give|make|show|tell|find|suggest|recommend|get|send|text|teach|explain|list|describe)(?: to)? (?:me|us)(?: please)?(?: (?:about|how to|what|why|the meaning of))?\s+/i,
  /^(?:explain|describe|discuss|summari[sz]e|tell|clarify|suggest|recommend|provide|list|write|draft|compose|create|generate|give|look at|check|see|have a look at|know|figure out)(?: about| out| how| up| on| the difference between)?\s+/i,
  /^here(?:['’]s| is| are|s)\s+/i,
  /^i wonder(?:ed)? if (?:you|u|anyone|someone) (?:could|can|would)(?: please)?\s+/i,
  /^is it true(?: that)?\s+/i,
  /^(?:the )?(?:best|easiest|quickest|good|any) way to\s+/i,
  /^(?:is|are|was|were)?\s*there(?:['’]?s| is| are|['’]?re)?(?: a way to| any way to| an easy way to)?\s+/i,
];
/** What a question begins with: shown where all of it fits. */
const QUESTIONS: readonly RegExp[] = [
  /^(?:what|who|which|where|whats|whos|wheres)(?:['’]?s|['’]?re| is| are| was| were| would be)? (?:the )?(?:best|easiest|right|proper|correct|fastest|difference|differences|meaning|point|deal|story)(?: way| place| thing)?(?: to| for| between| of| with)?\s+/i,
  /^(?:what|who|which|which one|where)(?:['’]?s|['’]?re| is| are| was| were)(?: an?)?(?: good)?\s+/i,
  /^how (?!(?:many|much) \S+ (?:can|do|does|did|should|would|will)\b)(?:many|much|long|often|far|old|tall|big|fast|hot|high|late|early|soon)(?:['’]?s| is| are| was| were| does| do| did| should| can| could| will| would| has| have)?(?: (?:i|we|you|u|one|it|they|there))?(?: take| have)?(?: to)?\s+/i,
  /^how (?:do|does|did|can|could|should|would|to|is|are|was|were|will|about|come|on earth do)(?: (?:i|we|you|u|one|people|they|it))?(?: best| properly| actually| even)?\s+/i,
  /^(?:how|why|when|where)(?:['’]?s)?(?: (?:is|are|was|were|do|does|did|would|will|can|should|has|have|isnt|isn['’]t|wont|won['’]t|cant|doesnt|doesn['’]t))(?: (?:i|we|you|u|it|they|people|he|she))?\s+/i,
  /^(?:is|are|was|were|does|do|did|can|could|will|would|should|has|have|am|may|must)(?: (?:i|we|you|u|it|they|he|she|that|this|there|people))?(?: (?:really |still |actually )?(?:have|need|got|allowed|able|ok|okay|safe|legal|possible|normal) to)?\s+/i,
];
const LEADING_DETERMINERS =
  /^(?:(?:[Tt]he|[Tt]h(?:is|ese|at|ose))\s+(?=[\p{Ll}\p{N}"'“‘(])|(?:[Aa]n?|[Mm]y|[Oo]ur|[Ss]ome|[Aa]ny|[Yy]our|[Hh]is|[Hh]er|[Tt]heir|[Ii]ts)\s+)/u;

/** A text without greetings, fillers and words of politeness before it; empty if it is nothing else. */
export const withoutGreetings = (text: string): string => {
  let rest = text.trim();
  for (let before = ''; before !== rest; ) {
    before = rest;
    for (const pattern of [GREETINGS, UNSPACED_GREETINGS, FILLERS]) rest = rest.replace(pattern, '').trimStart();
  }
  return rest;
};

/** A sentence without what only begins a request, and then with less and less of what begins a question. */
export const withoutFrames = (sentence: string, language: string): string[] => {
  if (language !== 'en') {
    const request = REQUESTS[language];
    const bare = request === undefined ? sentence : sentence.replace(request, '');
    return isEnough(bare) ? [bare] : [sentence];
  }
  const asked = withoutAll(sentence, ASKING).at(-1) ?? sentence;
  const begun = isEnough(asked) ? asked : sentence;
  return withoutAll(begun, QUESTIONS).flatMap((start) => {
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
