export interface Words {
  next: string;
  previous: string;
  done: string;
  saving: string;
  saved: string;
  offline: string;
  busy: string;
  kept: string;
  /** Replaces `kept` if the browser stores nothing. */
  keepOpen: string;
  unkept: string;
  framed: string;
  sending: string;
  retry: string;
  unreachable: string;
  thanks: string;
  answered: string;
  elsewhere: string;
  appeared: string;
  disappeared: string;
  again: string;
  closed: string;
  used: string;
  notYet: string;
  full: string;
  over: string;
  notFound: string;
  notFoundHint: string;
  passwordTitle: string;
  password: string;
  wrongPassword: string;
  open: string;
  start: string;
  language: string;
  errorsTitle: string;
  required: string;
  /** Read aloud for the mark of a required group of fields. */
  requiredMark: string;
  everyRow: string;
  invalid: string;
  email: string;
  url: string;
  phone: string;
  pattern: string;
  numbers: NumberWords;
  clear: string;
  cleared: string;
  files: FileWords;
  none: string;
  needsScript: string;
  /** The server's HTML shows it until the script removes it. */
  notStarted: string;
  madeWith: string;
  step: (position: number, total: number) => string;
  /** Of questions and statements that are shown one at a time. */
  screen: (position: number, total: number) => string;
  progress: string;
  sum: (sum: number, total: number) => string;
  mustSum: (total: string) => string;
  ranking: RankingWords;
  parts: Record<
    | "firstName"
    | "lastName"
    | "email"
    | "phone"
    | "company"
    | "addressLine1"
    | "addressLine2"
    | "city"
    | "region"
    | "postalCode"
    | "country",
    string
  >;
}

export interface NumberWords {
  wanted: string;
  ambiguous: (whole: string, decimal: string) => string;
  least: (n: string) => string;
  most: (n: string) => string;
  whole: string;
  decimals: (n: number) => string;
}

/** Read aloud for an entry of a ranking without a place: the keys that give it one. */
export interface RankingWords {
  moves: (text: string) => string;
  adds: (text: string) => string;
}

export interface FileWords {
  remove: (name: string) => string;
  size: (bytes: number) => string;
  tooMany: (most: number) => string;
  tooLarge: (megabytes: number) => string;
  wrongType: (extensions: string) => string;
  failed: string;
  wait: string;
}

/** A text for each plural form of a language (CLDR). */
type PluralTexts = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;

export function pluralIn(language: string): (count: number, texts: PluralTexts) => string {
  const rules = new Intl.PluralRules(language);
  return (count, texts) => texts[rules.select(count)] ?? texts.other;
}

export function sizeIn(language: string): (bytes: number) => string {
  return (bytes) => {
    const unit = bytes < 1_000_000 ? "kilobyte" : "megabyte";
    const amount = bytes / (unit === "kilobyte" ? 1_000 : 1_000_000);
    return new Intl.NumberFormat(language, { style: "unit", unit, maximumFractionDigits: 1 }).format(amount);
  };
}
