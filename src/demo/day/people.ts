/** The people of the demo day: names in the scripts that a platform meets, and what they do. */
export interface Person {
  /** deviceId; the userId is the same without the prefix. */
  device: string;
  name: string;
  role: "courier" | "staff" | "visitor";
  mode: "car" | "bike" | "foot";
  phone: { deviceType: "iOS" | "Android"; deviceMake: string; deviceModel: string; deviceOS: string };
  /** Typical accuracy of its positions [m]. */
  accuracy: number;
}

const NAMES: readonly (readonly [name: string, role: Person["role"], mode: Person["mode"]])[] = [
  ["Ann Ortiz", "courier", "car"],
  ["محمد الحسن", "courier", "car"],
  ["王小明", "courier", "bike"],
  ["Åsa Öberg", "courier", "car"],
  ["Анна Соколова", "courier", "car"],
  ["さくら 高橋", "courier", "bike"],
  ["João Gonçalves", "courier", "car"],
  ["अनिता शर्मा", "courier", "car"],
  ["Νίκος Παπάς", "staff", "foot"],
  ["김민준", "staff", "foot"],
  ["Siobhán Ní Bhriain", "staff", "bike"],
  ["דוד לוי", "staff", "foot"],
  ["Zoë Müller", "staff", "bike"],
  ["สมชาย ใจดี", "staff", "foot"],
  ["Oluwaseun Adé", "visitor", "car"],
  ["Nguyễn Thị Hoa", "visitor", "foot"],
  ["İbrahim Çelik", "visitor", "car"],
  ["Łukasz Żółw", "visitor", "bike"],
  ["ქეთევან ბერიძე", "visitor", "foot"],
  ["Mary O'Neill", "visitor", "car"],
];

const PHONES: readonly Person["phone"][] = [
  { deviceType: "iOS", deviceMake: "Apple", deviceModel: "iPhone17,3", deviceOS: "26.1" },
  { deviceType: "Android", deviceMake: "Google", deviceModel: "Pixel 10", deviceOS: "16" },
  { deviceType: "Android", deviceMake: "Samsung", deviceModel: "SM-S931B", deviceOS: "16" },
];

export const PEOPLE: readonly Person[] = NAMES.map(([name, role, mode], i) => ({
  device: `demo-${String(i + 1).padStart(2, "0")}`,
  name,
  role,
  mode,
  phone: PHONES[i % PHONES.length],
  accuracy: [5, 8, 12, 25][i % 4],
}));

/** Names of shops in the demo town; the names of the map follow when these are used up. */
export const SHOP_NAMES: readonly string[] = [
  ...["Main Street Diner", "متجر الحديقة", "王家花园", "Кафе у моста", "カフェ桜", "Zürcher Bäckerei"],
  ...["मुख्य बाज़ार", "Café São João", "Ταβέρνα", "한강 상점"],
];
