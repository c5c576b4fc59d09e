import { languageOf } from '../../../engine/text/language.ts';

/**
 * Words of grammar that no title may end on, by what they do to a cut beside them. The lists of stop words that there
 * are as packages also hold plain nouns ("day", "time", "Uhr"), so that they cut too much, and do not tell these apart.
 */
interface FunctionWords {
  /** Prepositions, conjunctions, question words, auxiliaries, subjects: a new phrase begins with one. */
  readonly openers: ReadonlySet<string>;
  /** Articles, possessives, short adverbs: they belong to what follows, and so to what stands before, if that is a verb. */
  readonly leaners: ReadonlySet<string>;
}

const list = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));
const words = (openers: string, leaners: string): FunctionWords => ({ openers: list(openers), leaners: list(leaners) });

const LANGUAGES: Readonly<Record<string, FunctionWords>> = {
  en: words(
    `of for in on at by to from with w/ without within about above below under between among against into onto during
     before after toward towards upon via per like than as since until till while because bc cause cos though tho although
     unless if whether and or but nor so then that which who whom whose what whats what's when where why how
     is are am was were be been being isnt isn't arent aren't wasnt wasn't do does did dont don't doesnt doesn't didnt
     didn't has have had hasnt hasn't havent haven't will would wont won't wouldnt can could cant can't cannot couldnt
     should shouldnt must may might shall i we he she they im i'm ive i've i'd i'll we're we've its it's theyre they're
     he's she's hes shes there's theres that's thats not vs using instead except & + n keeps keep gets goes becomes seems makes says wants needs and/or`,
    `the a an my our your his her their its this these those some any each every all both another other such own same
     so too very just only also even still yet never always often really more most less least very quite rather
     which us`,
  ),
  de: words(
    `in im ins an am ans auf aus bei beim mit nach von vom zu zum zur für fürs fuer über übers ueber unter vor hinter neben
     zwischen durch gegen ohne um seit bis ab wegen während trotz statt als wie wenn weil da dass das daß ob obwohl damit
     nachdem bevor sobald und oder aber denn sondern doch was wer wen wem wo wohin woher wann warum wieso weshalb welche
     welcher welches ist sind war waren bin bist hat habe hab haben hatte wird werden wurde kann können konnte muss müssen
     soll sollte sollen will wollen darf dürfen möchte is isch wat geht gibt`,
    `ich er sie wir ihr man es nicht der die das den dem des ein eine einen einem einer eines nen ne n mein meine meinen meinem meiner dein deine sein seine
     seinen unser unsere unserer unserem ihre ihren ihrem kein keine keinen dieser diese dieses diesen diesem jeder jede
     jedes alle zu sehr so auch nur noch schon immer ganz nie echt eigentlich mal mir mich dir dich uns sich nix eher kaum`,
  ),
  nl: words(
    `in op aan uit bij met naar van voor vd over onder tussen door tegen zonder om sinds tot als wanneer omdat dat of en maar
     want dus wat wie waar wanneer waarom hoe welke is zijn was waren ben heeft heb hebben had wordt worden kan kunnen moet
     moeten mag wil zal zou te`,
    `ik hij zij ze we wij je jij u men niet er de het een mijn m'n jouw je zijn haar ons onze hun deze dit die elke geen alle heel erg ook nog al altijd steeds maar mij
     me zich te zo`,
  ),
  fr: words(
    `à a au aux de du des d' en dans ds par pour sur sous avec sans chez entre vers depuis pendant avant après contre comme
     que qu' qui quoi dont où quand comment combien pourquoi quel quelle quels quelles si car parce et ou mais donc ni est
     sont était es suis ai as ont avait va vont peut peux dois doit faut fait je j' tu il elle on nous vous ils elles c'est
     ça ca ya y'a n' ne pas qd alors qui`,
    `le la les l' un une des mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs ce cet cette ces chaque tout
     toute tous toutes très plus moins trop bien aussi encore toujours jamais me m' te t' se s' lui`,
  ),
  es: words(
    `a al ante con contra de del desde durante en entre hacia hasta para pa por según segun sin sobre tras que q qué quién
     quien cuál cual cuándo cuando cuánto cuanto cuánta cuántos cuantos cómo como dónde donde porque si y e o u pero ni
     es son era está esta estan están soy he ha han hay tiene tengo puede puedo debe va van me yo tú él ella nosotros
     ellos no se le lo les pues aunque mientras`,
    `el la los las un una unos unas mi mis tu tus su sus nuestro nuestra este estos estas ese esa esos cada todo todos toda
     todas muy más mas menos tan también tambien ya solo sólo siempre nunca me te se le nos del algo`,
  ),
  pt: words(
    `a à ao aos às com contra de do da dos das desde durante em no na nos nas num numa entre até para pra pro por pelo pela
     sem sob sobre que q qual quais quem quando quanto quantos quanta como onde porque se e ou mas nem é são era está estão
     estou foi tem tenho há pode posso deve vai vou eu tu você vc ele ela nós eles não nao qdo`,
    `o a os as um uma uns umas meu minha meus minhas teu tua seu sua nosso nossa este esta esse essa cada todo toda todos
     muito mais menos tão também só sempre nunca já me te se lhe`,
  ),
  it: words(
    `a al allo alla ai agli alle con contro da dal dalla dai di del dello della dei degli delle d' in nel nella nei nelle
     per tra fra su sul sulla sui sulle senza sotto sopra dopo prima che chi cui quale quali quando quanto quanti quanta come
     dove perché perche se e ed o ma né è sono era ho ha hanno abbiamo c'è ci può posso deve devo va io tu lui lei noi loro
     non si cosa mentre`,
    `il lo la i gli le l' un uno una un' mio mia miei mie tuo tua suo sua nostro nostra questo questa questi quel quello ogni
     tutto tutti molto più piu meno così anche solo sempre mai già mi ti si vi`,
  ),
  ca: words(
    `a al als amb contra de del dels d' des en entre fins per pel sense sobre que què qui quan quant com on perquè si i o
     però ni és es són era ha han he hi té tinc pot puc va no em jo tu ell ella`,
    `el la els les l' un una uns unes el meu la meva seu seva aquest aquesta cada tot molt més menys també ja només m' t' s'`,
  ),
  ro: words(
    `la de din în in cu pe pentru pt prin fără sub peste între după până că ca să sa dacă când cum unde ce cine cât cat și
     si sau dar este e sunt era am are au a fi poate eu tu el ea noi nu mi se s-a mi-a`,
    `un o unei unui meu mea mei mele tău ta său acest această fiecare tot toate foarte mai și tot niște`,
  ),
  sv: words(
    `i på av för från med till hos om under över mellan mot utan vid efter före innan sedan som att och eller men så när hur
     var vad vem varför vilken vilket vilka är var har hade blir kan ska skall vill måste får utan`,
    `jag du han hon vi ni de man inte en ett den det min mitt mina din ditt sin sitt sina vår vårt denna detta varje alla mycket mer också bara alltid aldrig
     mig dig sig`,
  ),
  da: words(
    `i på af for fra med til hos om under over mellem mod uden ved efter før siden som at og eller men så når hvor hvordan
     hvad hvem hvorfor hvilken er var har havde bliver kan skal vil må får hvis`,
    `jeg du han hun vi de man ikke en et den det min mit mine din sin sit vores denne dette hver alle meget mere også kun altid aldrig mig dig sig`,
  ),
  no: words(
    `i på av for fra med til hos om under over mellom mot uten ved etter før siden som at å og eller men så når hvor hvordan
     hva hvem hvorfor hvilken er var har hadde blir kan skal vil må får hvis`,
    `jeg du han hun vi de man ikke en ei et den det min mitt mine din sin sitt vår denne dette hver alle mye mer også bare alltid aldri meg deg seg`,
  ),
  fi: words(
    `ja tai mutta että kun jos koska kuin joka mikä mitä mistä missä mihin milloin miten miksi kuka ovat on oli olen olla ei
     en voi pitää minä sinä hän me te he se jotta sekä ilman`,
    `minun sinun hänen tämä tuo nämä joka jokainen kaikki hyvin myös vain aina liian`,
  ),
  pl: words(
    `w we z ze na do od o u po pod nad przed za przez dla bez przy między ku i a oraz lub albo ale czy że ze żeby jak gdy
     kiedy gdzie co kto ile dlaczego czemu który która które jest są był była było będzie mam ma mają mi ja ty on ona my
     nie się sie bo jeśli`,
    `mój moja moje mojego mojej twój twoja swój swoją jego jej ich ten ta to te tego tej każdy wszystkie bardzo też tylko już
     jeszcze zawsze nigdy mnie mu`,
  ),
  cs: words(
    `v ve z ze na do od o u po pod nad před za přes pro bez při mezi k ke s se i a nebo ale že aby jak když kdy kde co kdo
     kolik proč který která které je jsou byl byla bylo bude mám má mají já ty on ona my ne si by jestli`,
    `můj moje mou mého tvůj svůj svou jeho její jejich ten ta to tento tato každý všechny velmi také jen už ještě vždy mě mu`,
  ),
  ru: words(
    `в во на из с со к ко у о об от до для без при под над перед за через между по и или а но что чтобы как когда где куда
     откуда почему зачем кто сколько какой какая какие который если есть был была было были будет я ты он она мы вы они
     не ни бы ли чо это`,
    `мой моя моё мои моего моей твой свой свою его её их этот эта эти тот та те весь все каждый очень тоже только уже ещё
     всегда никогда мне меня тебе его то`,
  ),
  uk: words(
    `в у на із з зі до від о об для без при під над перед за через між по і й та або а але що щоб як коли де куди чому хто
     скільки який яка які якщо є був була було були буде я ти він вона ми ви вони не ні би чи це`,
    `мій моя моє мої мого моєї твій свій свою його її їх цей ця ці той весь все кожен дуже теж тільки вже ще завжди мені`,
  ),
  tr: words(
    've veya ya ama fakat ki da de ne nasıl neden niye kim hangi için gibi kadar ile mi mı mu mü ise bu',
    'bir bu şu o her çok daha en benim senin',
  ),
  ar: words(
    'في من على إلى الى عن مع بعد قبل بين تحت فوق حتى و أو او لكن بس أن ان إن اللي الذي التي ما ماذا وش ليه كيف كم متى اين وين هل لو اذا إذا هو هي أنا انا لا مو',
    'هذا هذه كل يا',
  ),
  hi: words(
    'और या लेकिन कि जो तो क्या कैसे कब कहां कहाँ क्यों कौन aur ya lekin ki jo to kya kaise kab kahan kyu kyun',
    'का के की ka ke ki se hai hain mujhe nahi bhi gya gaya mera meri mere ek एक मेरा मेरी ये यह वह',
  ),
  vi: words(
    'và hoặc nhưng của cho với trong ngoài trên dưới từ đến ở là có không thì mà nếu khi vì để bị được đã đang sẽ tôi em anh chị',
    'một các những mỗi rất cũng',
  ),
  id: words(
    'dan atau tapi di ke dari untuk buat dengan pada yang kalau karena apa siapa kapan kenapa gimana bagaimana berapa ada adalah bisa aku saya kamu tidak gak ga sih',
    'sebuah para setiap sangat juga',
  ),
  zh: words('', ''),
  ja: words('', ''),
  th: words('', ''),
  ko: words('그리고 근데 그런데 하지만 또는 어떻게 언제 왜', '제 내 이 그 저 더 안 못'),
};

/** ISO 639-1 of a text, by its words of grammar where it is too short for anything else. */
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
  const hits = Object.entries(LANGUAGES).map(([language, { openers, leaners }]) => {
    const found = [...said].filter((word) => openers.has(word) || leaners.has(word)).length;
    return { language, score: found + (language === guess ? 0.8 : 0) + (language === 'en' ? 0.1 : 0) };
  });
  const most = hits.reduce((a, b) => (b.score > a.score ? b : a));
  return most.score < 1 && !/[^\x20-\x7e]/.test(text) ? 'en' : most.score < 1 && guess !== null ? guess : most.language;
};

export type Grammar = 'opens' | 'leans' | 'content';

/** What a word does for the grammar of a language; a word of a language that is not listed is content. */
export const grammarOf = (word: string, language: string): Grammar => {
  const plain = word.toLowerCase().replace(/’/g, "'");
  const lists = LANGUAGES[language];
  if (lists === undefined) return 'content';
  if (lists.openers.has(plain)) return 'opens';
  return lists.leaners.has(plain) ? 'leans' : 'content';
};
