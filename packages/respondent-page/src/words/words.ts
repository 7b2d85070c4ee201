/** The page's own words in one language. SurveyJS brings those of its parts. */
export interface Words {
  next: string;
  previous: string;
  done: string;
  saving: string;
  saved: string;
  offline: string;
  busy: string;
  kept: string;
  sending: string;
  loading: string;
  retry: string;
  unreachable: string;
  thanks: string;
  answered: string;
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
  language: string;
  errorsTitle: string;
  required: string;
  everyRow: string;
  invalid: string;
  email: string;
  url: string;
  phone: string;
  pattern: string;
  noFiles: string;
  none: string;
  needsScript: string;
  madeWith: string;
  step: (position: number, total: number) => string;
  progress: string;
  sum: (sum: number, total: number) => string;
  mustSum: (total: string) => string;
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
