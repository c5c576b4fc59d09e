const list = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

/** English words of grammar: they carry no topic. */
export const STOP_WORDS = list(`
  a an the this that these those some any each every either neither no not none all both few many much more most
  other another such own same so too very just only also even still yet again ever never always often sometimes
  i me my mine myself we us our ours ourselves you your yours yourself he him his himself she her hers herself
  it its itself they them their theirs themselves one ones someone something anyone anything everyone everything
  who whom whose which what when where why how whether if then else than as throughout because since while although though
  unless until and or but nor for of in on at by to from with without within about above below over under between
  among against into onto through during before after up down out off across along around toward towards upon per via
  is am are was were be been being do does did done doing have has had having will would shall should can could
  may might must ought need dare
  i'm i've i'd i'll you're you've you'd you'll he's she's it's we're we've we'd we'll they're they've they'd they'll
  that's there's here's what's who's where's how's let's don't doesn't didn't isn't aren't wasn't weren't hasn't
  haven't hadn't won't wouldn't can't couldn't shouldn't mustn't ain't cannot gonna wanna gotta
  there here now s t d ll m re ve yes no ok okay well oh please thanks thank hello hi hey
`);

/** Words that tell little of what a turn is about: of talk itself, of wishing, of degree. */
export const WEAK_WORDS = list(`
  want wants wanted like liked would-like know think thought tell say said ask asked asking give get got make made
  go going take let use used using see look help try trying mean means start keep put come find found
  thing things way ways lot lots bit kind sort type types part time times point question questions answer idea ideas
  good better best great nice new really actually maybe perhaps probably basically quite pretty sure right
  first second next last later back different several certain possible important main little big able
  currently recently lately today moment already instead anyway
  explain describe provide write list show create generate suggest recommend discuss compare summarize mention
  example examples information details detail following based include including add added
  summary summaries advice overview rundown recommendation recommendations suggestion suggestions version versions
  draft format keyword keywords style response steps characteristics elements aspects key concise brief comprehensive
  detailed cool interesting attractive similar suitable specific particular relevant previous overall appropriate effective
  applicable ensuring incorporating exploring regarding features feature functionality
  difference differences faster easier cheaper bigger smaller less earlier later longer interested
  topic topics conversation user assistant reply message role word words sentence sentences
`);
