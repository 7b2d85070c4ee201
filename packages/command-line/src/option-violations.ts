/** Returns why the text is no address of HTTP, as the end of a sentence. */
export function urlViolation(text: string): string | undefined {
  if (text.includes("@")) return "may hold no user name or password";
  return /^https?:$/.test(URL.parse(text)?.protocol ?? "") ? undefined : "is an address such as http://127.0.0.1:20001";
}

/** Returns a function that returns why a text is no number within the bounds, as the end of a sentence. */
export function numberViolation(least: number, most: number): (text: string) => string | undefined {
  const fits = (text: string) => /^\d{1,12}$/.test(text) && Number(text) >= least && Number(text) <= most;
  return (text) => (fits(text) ? undefined : `is a number from ${least} to ${most}`);
}
