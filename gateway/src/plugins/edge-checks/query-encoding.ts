import type { Violation } from "@canvass/inputs";

/** Finds parameters that are not percent-encoded UTF-8 (RFC 3986, 2.1 and 2.5), which the parser leaves undecoded. */
export function checkQueryEncoding(address: string, violations: Violation[]): void {
  const query = address.slice(address.indexOf("?") + 1);
  if (!query.includes("%") || query === address || isEncoded(query)) return;
  for (const pair of query.split("&")) {
    if (isEncoded(pair)) continue;
    const [name = ""] = pair.split("=", 1);
    violations.push({ path: shown(name), message: "is not percent-encoded UTF-8" });
  }
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function shown(name: string): string {
  const text = isEncoded(name) ? decodeURIComponent(name) : name;
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
