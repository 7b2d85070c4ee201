import { expect, test } from "vitest";
import { loadWords } from "./languages.ts";

test.each([
  ["en", 1, "At most 1 digit after the decimal point.", "Only one file can be added."],
  ["en", 2, "At most 2 digits after the decimal point.", "At most 2 files can be added."],
  ["de", 1, "Höchstens 1 Stelle nach dem Komma.", "Es kann nur eine Datei hinzugefügt werden."],
  ["de", 2, "Höchstens 2 Stellen nach dem Komma.", "Es können höchstens 2 Dateien hinzugefügt werden."],
  ["fr", 1, "Au plus 1 chiffre après la virgule.", "Vous ne pouvez ajouter qu’un fichier."],
  ["es", 1, "Como máximo 1 cifra decimal.", "Solo se puede añadir un archivo."],
  ["ar", 1, "منزلة عشرية واحدة على الأكثر.", "يمكن إضافة ملف واحد فقط."],
  ["ar", 2, "منزلتان عشريتان على الأكثر.", "يمكن إضافة ملفين على الأكثر."],
  ["ar", 3, "3 منازل عشرية على الأكثر.", "يمكن إضافة 3 ملفات على الأكثر."],
])("%s counts %i as its grammar does", async (language, count, decimals, tooMany) => {
  const words = await loadWords(language);
  expect([words.numbers.decimals(count), words.files.tooMany(count)]).toEqual([decimals, tooMany]);
});
