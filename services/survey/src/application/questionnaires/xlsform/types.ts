import type { JsonObject } from "@canvass/values";
import type { Asked } from "../asked.ts";

export interface TypeOfRow {
  /** `group`, `repeat`, `end` and `hidden` are no questions. */
  kind: "question" | "group" | "repeat" | "end" | "hidden" | "left_out";
  /** Why it is left out. */
  reason?: string;
  type?: string;
  asked?: Asked["kind"];
  typeSettings?: JsonObject;
  /** The name of its list of choices. */
  list?: string;
  /** Whether respondents may give an answer that the list lacks. */
  other?: boolean;
  /** What is different in Canvass. */
  changed?: string;
}

const question = (type: string, asked: Asked["kind"], typeSettings: JsonObject = {}, changed?: string): TypeOfRow => ({
  kind: "question",
  type,
  asked,
  ...(Object.keys(typeSettings).length > 0 && { typeSettings }),
  ...(changed !== undefined && { changed }),
});

const out = (reason: string): TypeOfRow => ({ kind: "left_out", reason });

const pictures = ["jpg", "jpeg", "png", "gif", "webp", "heic"];
const metadata = out("is known of a respondent without asking: times and links are kept with the answers");
const place = out("asks for a place on a map, for which there is no question type");

const types: Record<string, TypeOfRow> = {
  text: question("short_text", "text"),
  string: question("short_text", "text"),
  integer: question("number", "number", { decimals: 0 }),
  int: question("number", "number", { decimals: 0 }),
  decimal: question("number", "number"),
  range: question("slider", "number"),
  date: question("date_time", "date"),
  time: question("date_time", "date", { mode: "time" }),
  datetime: question("date_time", "date", { mode: "datetime" }),
  note: question("statement", "none"),
  acknowledge: question("consent", "boolean", { text: "OK" }),
  trigger: question("consent", "boolean", { text: "OK" }),
  image: question("file_upload", "none", { extensions: pictures }, "takes pictures as files"),
  photo: question("file_upload", "none", { extensions: pictures }, "takes pictures as files"),
  audio: question("file_upload", "none", {}, "takes a file, and records nothing"),
  video: question("file_upload", "none", {}, "takes a file, and records nothing"),
  file: question("file_upload", "none"),
  barcode: question("short_text", "text", {}, "is typed: there is no scanner"),
  "phone number": question("short_text", "text", { format: "phone" }),
  geopoint: place,
  geotrace: place,
  geoshape: place,
  "start-geopoint": place,
  "background-audio": out("records without asking"),
  audit: out("records how a form is filled in"),
  calculate: out("calculates; a formula is never run"),
  hidden: { kind: "hidden" },
  "xml-external": out("reads another file"),
  "csv-external": out("reads another file"),
  start: metadata,
  end: metadata,
  today: metadata,
  deviceid: metadata,
  subscriberid: metadata,
  simserial: metadata,
  phonenumber: metadata,
  username: metadata,
  email: metadata,
};

/** Reads the cell `type` of the sheet `survey`. */
export function typeOfRow(cell: string): TypeOfRow {
  const plain = cell.trim().replaceAll(/\s+/g, " ");
  const words = plain.toLowerCase().replaceAll("_", " ");
  if (/^begin (group|lgroup)$/.test(words)) return { kind: "group" };
  if (/^begin (repeat|loop over .*)$/.test(words)) return { kind: "repeat" };
  if (/^end (group|repeat|loop)$/.test(words)) return { kind: "end" };
  const chosen = choiceType(plain);
  if (chosen) return chosen;
  if (Object.hasOwn(types, words)) return types[words]!;
  return out(`has the type ${plain.slice(0, 60)}, for which there is no question type`);
}

function choiceType(plain: string): TypeOfRow | undefined {
  const found =
    /^(select[_ ]one(?:[_ ]from)?|select[_ ]multiple(?:[_ ]from)?|select all that apply from|add select one prompt using|rank) (\S+)( or[_ ]other| or specify other)?( .*)?$/i.exec(
      plain,
    );
  if (!found) return undefined;
  const [, word = "", list = "", other] = found;
  if (
    /^select[_ ](one|multiple)[_ ]from[_ ]file$/i.test(`${word} ${list}`) ||
    (/file$/i.test(list) && /from/i.test(word))
  ) {
    return out("takes its choices from another file");
  }
  const isRank = /^rank/i.test(word);
  const isMultiple = /multiple|all that/i.test(word);
  if (isRank) return { kind: "question", type: "ranking", asked: "none", list };
  return {
    kind: "question",
    type: "multiple_choice",
    asked: isMultiple ? "choices" : "choice",
    list,
    other: other !== undefined,
    ...(isMultiple && { typeSettings: { multipleAnswers: true } }),
  };
}
