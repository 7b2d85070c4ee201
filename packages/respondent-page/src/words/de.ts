import { pluralIn, sizeIn, type Words } from "./words.ts";

const plural = pluralIn("de");

export const de: Words = {
  next: "Weiter",
  previous: "Zurück",
  done: "Absenden",
  saving: "Wird gespeichert …",
  saved: "Gespeichert",
  offline: "Keine Verbindung. Ihre Antworten werden gesendet, sobald sie wieder da ist.",
  busy: "Die Umfrage ist gerade stark gefragt. Ihre Antworten werden gleich gesendet.",
  kept: "Ihre Antworten bleiben auf diesem Gerät.",
  keepOpen: "Bitte lassen Sie die Seite bis dahin offen.",
  unkept:
    "Dieser Browser lässt die Umfrage nichts auf diesem Gerät aufbewahren. Schließen Sie die Seite nicht und laden Sie sie nicht neu, bevor Sie fertig sind: Nicht gesendete Antworten gingen verloren.",
  framed: "Die Umfrage funktioniert innerhalb dieser Seite nicht. Bitte öffnen Sie sie für sich:",
  sending: "Ihre Antworten werden gesendet …",
  retry: "Noch einmal versuchen",
  unreachable: "Die Umfrage ist gerade nicht erreichbar. Gleich folgt ein neuer Versuch.",
  thanks: "Vielen Dank! Ihre Antworten sind gespeichert.",
  answered: "Sie haben diese Umfrage schon beantwortet. Vielen Dank!",
  elsewhere:
    "Ihre Antworten wurden auf einem anderen Gerät geändert. Sie sehen sie so, wie sie zuletzt gespeichert wurden.",
  appeared: "Es werden jetzt mehr Fragen oder Antworten angezeigt.",
  disappeared: "Es werden jetzt weniger Fragen oder Antworten angezeigt.",
  again: "Noch einmal antworten",
  closed: "Diese Umfrage nimmt zurzeit keine Antworten an.",
  used: "Dieser Link gilt für eine Antwort, und die ist schon gegeben.",
  notYet: "Diese Umfrage ist noch nicht geöffnet.",
  full: "Diese Umfrage hat alle Antworten, die sie braucht. Vielen Dank für Ihr Interesse!",
  over: "Diese Umfrage ist beendet. Vielen Dank für Ihr Interesse!",
  notFound: "Unter dieser Adresse gibt es keine Umfrage.",
  notFoundHint: "Prüfen Sie, ob der Link vollständig ist, oder bitten Sie den Absender um einen neuen.",
  passwordTitle: "Diese Umfrage ist geschützt",
  password: "Passwort",
  wrongPassword: "Das ist nicht das Passwort.",
  open: "Umfrage öffnen",
  start: "Starten",
  language: "Sprache",
  errorsTitle: "Bitte prüfen Sie diese Antworten:",
  required: "Bitte beantworten Sie diese Frage.",
  requiredMark: "erforderlich",
  everyRow: "Bitte beantworten Sie jede Zeile.",
  invalid: "Diese Antwort kann nicht angenommen werden. Bitte ändern Sie sie.",
  email: "Bitte geben Sie eine E-Mail-Adresse ein.",
  url: "Bitte geben Sie eine Webadresse ein, die mit https:// oder http:// beginnt.",
  phone: "Bitte geben Sie eine Telefonnummer ein.",
  pattern: "Bitte geben Sie die Antwort in der verlangten Form ein.",
  numbers: {
    wanted: "Bitte geben Sie eine Zahl in Ziffern ein, zum Beispiel 1234,5.",
    ambiguous: (whole, decimal) =>
      `Diese Zahl kann man auf zwei Arten lesen. Bitte geben Sie ${whole} oder ${decimal} ein.`,
    least: (n) => `Die Zahl muss mindestens ${n} sein.`,
    most: (n) => `Die Zahl darf höchstens ${n} sein.`,
    whole: "Bitte geben Sie eine ganze Zahl ein.",
    decimals: (n) =>
      plural(n, {
        one: `Höchstens ${n} Stelle nach dem Komma.`,
        other: `Höchstens ${n} Stellen nach dem Komma.`,
      }),
  },
  clear: "Antwort entfernen",
  cleared: "Die Antwort wurde entfernt.",
  files: {
    remove: (name) => `${name} entfernen`,
    size: sizeIn("de"),
    tooMany: (most) =>
      plural(most, {
        one: "Es kann nur eine Datei hinzugefügt werden.",
        other: `Es können höchstens ${most} Dateien hinzugefügt werden.`,
      }),
    tooLarge: (megabytes) => `Diese Datei ist zu groß. Sie darf ${megabytes} MB haben.`,
    wrongType: (extensions) =>
      extensions
        ? `Hier können nur diese Dateien gesendet werden: ${extensions}.`
        : "Dateien dieser Art können hier nicht gesendet werden.",
    failed: "Diese Datei konnte nicht gesendet werden. Bitte wählen Sie sie noch einmal oder eine andere.",
    wait: "Bitte warten Sie, bis Ihre Dateien gesendet sind.",
  },
  none: "(Keine)",
  needsScript: "Bitte schalten Sie zum Antworten JavaScript in Ihrem Browser ein.",
  notStarted:
    "Die Umfrage ist in diesem Browser nicht gestartet. Bitte laden Sie die Seite neu oder öffnen Sie sie in einem neueren Browser.",
  madeWith: "Erstellt mit",
  step: (position, total) => `Seite ${position} von ${total}`,
  screen: (position, total) => `Schritt ${position} von ${total}`,
  progress: "Fortschritt",
  sum: (sum, total) => `${sum} von ${total} vergeben.`,
  mustSum: (total) => `Bitte verteilen Sie genau ${total}.`,
  ranking: {
    moves: (text) => `${text}, noch ohne Platz: die Pfeiltasten nach oben und unten verschieben es`,
    adds: (text) => `${text}, noch ohne Platz: die Leertaste gibt einen`,
  },
  parts: {
    firstName: "Vorname",
    lastName: "Nachname",
    email: "E-Mail",
    phone: "Telefon",
    company: "Firma",
    addressLine1: "Adresse",
    addressLine2: "Adresse, zweite Zeile",
    city: "Ort",
    region: "Bundesland oder Region",
    postalCode: "Postleitzahl",
    country: "Land",
  },
};
