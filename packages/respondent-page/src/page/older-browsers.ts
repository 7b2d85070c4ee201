// Polyfills for browsers since 2022, for the page and the shared packages. `main.tsx` imports them first.

function standIn(owner: object, name: string, value: unknown): void {
  if (!Object.hasOwn(owner, name)) Object.defineProperty(owner, name, { value, configurable: true, writable: true });
}

standIn(Promise, "withResolvers", () => {
  const made = {};
  return Object.assign(made, { promise: new Promise((resolve, reject) => Object.assign(made, { resolve, reject })) });
});

standIn(Array.prototype, "toSorted", function <T>(this: readonly T[], compare?: (one: T, other: T) => number) {
  return [...this].sort(compare);
});

standIn(String.prototype, "isWellFormed", function (this: string) {
  return !/\p{Cs}/u.test(this);
});

standIn(AbortSignal, "timeout", (ms: number) => {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), ms);
  return controller.signal;
});

standIn(URL, "canParse", (text: string) => {
  try {
    return new URL(text) instanceof URL;
  } catch {
    return false;
  }
});
