/** Initials of syllables, longer ones first. */
const INITIALS = "zh ch sh b p m f d t n l g k h j q x r z c s".split(" ");

const pairs = (text: string) => Object.fromEntries(text.split(" ").map((pair) => pair.split("=") as [string, string]));

/** The system of Palladius, for Russian. */
const RUSSIAN = {
  initials: pairs("b=б p=п m=м f=ф d=д t=т n=н l=л g=г k=к h=х j=цз q=ц x=с zh=чж ch=ч sh=ш r=ж z=цз c=ц s=с"),
  finals: pairs(
    "a=а o=о e=э ai=ай ei=эй ao=ао ou=оу an=ань en=энь ang=ан eng=эн ong=ун i=и ia=я ie=е iao=яо iu=ю ian=янь in=инь iang=ян ing=ин iong=юн u=у ua=уа uo=о uai=уай ui=уй uan=уань un=унь uang=уан v=юй ve=юэ van=юань vn=юнь",
  ),
  whole: pairs(
    "a=а o=о e=э ai=ай ei=эй ao=ао ou=оу an=ань en=энь ang=ан er=эр yi=и ya=я ye=е yao=яо you=ю yan=янь yin=инь yang=ян ying=ин yong=юн wu=у wa=ва wo=во wai=вай wei=вэй wan=вань wen=вэнь wang=ван weng=вэн yu=юй yue=юэ yuan=юань yun=юнь hui=хуэй",
  ),
};

/** The transcription of the National Institute of Korean Language: medial and final letters, then what follows. */
const KOREAN = {
  initials: pairs(
    "b=ㅂ p=ㅍ m=ㅁ f=ㅍ d=ㄷ t=ㅌ n=ㄴ l=ㄹ g=ㄱ k=ㅋ h=ㅎ j=ㅈ q=ㅊ x=ㅅ zh=ㅈ ch=ㅊ sh=ㅅ r=ㄹ z=ㅉ c=ㅊ s=ㅆ",
  ),
  finals: pairs(
    "a=ㅏ o=ㅗ e=ㅓ ai=ㅏ이 ei=ㅔ이 ao=ㅏ오 ou=ㅓ우 an=ㅏㄴ en=ㅓㄴ ang=ㅏㅇ eng=ㅓㅇ ong=ㅜㅇ i=ㅣ ia=ㅑ ie=ㅖ iao=ㅑ오 iu=ㅠ ian=ㅖㄴ in=ㅣㄴ iang=ㅑㅇ ing=ㅣㅇ iong=ㅠㅇ u=ㅜ ua=ㅘ uo=ㅝ uai=ㅘ이 ui=ㅜ이 uan=ㅘㄴ un=ㅜㄴ uang=ㅘㅇ v=ㅟ ve=ㅞ van=ㅟ안 vn=ㅟㄴ",
  ),
  whole: pairs(
    "a=아 o=오 e=어 ai=아이 ei=에이 ao=아오 ou=어우 an=안 en=언 ang=앙 er=얼 yi=이 ya=야 ye=예 yao=야오 you=유 yan=옌 yin=인 yang=양 ying=잉 yong=융 wu=우 wa=와 wo=워 wai=와이 wei=웨이 wan=완 wen=원 wang=왕 weng=웡 yu=위 yue=웨 yuan=위안 yun=윈",
  ),
};

/** A syllable of pinyin, with v for ü: "qu" is qü. */
function split(syllable: string): [initial: string, final: string] {
  const initial = INITIALS.find((one) => syllable.startsWith(one)) ?? "";
  const final = syllable.slice(initial.length);
  return [initial, ["j", "q", "x"].includes(initial) ? final.replace(/^u/, "v") : final];
}

/** "Чанъань": a vowel after н without a soft sign begins a syllable. */
export function palladiusOf(syllables: readonly string[]): string {
  const text = syllables.map((syllable, i) => {
    const own = inRussian(syllable);
    return own.endsWith("н") && /^[эюяеоаиу]/.test(inRussian(syllables[i + 1] ?? "")) ? `${own}ъ` : own;
  });
  const whole = text.join("");
  return whole.slice(0, 1).toUpperCase() + whole.slice(1);
}

function inRussian(syllable: string): string {
  const whole = RUSSIAN.whole[syllable];
  if (whole !== undefined) return whole;
  const [initial, final] = split(syllable);
  const own = RUSSIAN.initials[initial] ?? "";
  if (final === "i" && ["z", "c", "s"].includes(initial)) return `${own}ы`;
  return own + (RUSSIAN.finals[final] ?? "");
}

const LEADS = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ";
const VOWELS = "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ";
const TAILS: Readonly<Record<string, number>> = { ㄴ: 4, ㅇ: 21 };
/** After ㅈ, ㅉ and ㅊ there is no y. */
const PLAIN: Readonly<Record<string, string>> = { ㅑ: "ㅏ", ㅖ: "ㅔ", ㅠ: "ㅜ" };

export const hangulOf = (syllables: readonly string[]) => syllables.map(inKorean).join("");

function inKorean(syllable: string): string {
  const whole = KOREAN.whole[syllable];
  if (whole !== undefined) return whole;
  const [initial, final] = split(syllable);
  const lead = KOREAN.initials[initial] ?? "ㅇ";
  const isBuzzed = final === "i" && ["zh", "ch", "sh", "r", "z", "c", "s"].includes(initial);
  const [vowel, ...rest] = isBuzzed ? "ㅡ" : (KOREAN.finals[final] ?? "ㅏ");
  const medial = "ㅈㅉㅊ".includes(lead) ? (PLAIN[vowel] ?? vowel) : vowel;
  const [tail, after] = TAILS[rest[0]] === undefined ? [0, rest.join("")] : [TAILS[rest[0]], ""];
  return String.fromCharCode(0xac00 + (LEADS.indexOf(lead) * 21 + VOWELS.indexOf(medial)) * 28 + tail) + after;
}
