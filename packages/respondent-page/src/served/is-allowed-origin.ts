/** Matches like `frame-ancestors`: `https://*.example.com` allows every host below example.com. */
export function isAllowedOrigin(origin: string, allowed: readonly string[]): boolean {
  return allowed.some((one) => one === origin || isBelow(origin, one));
}

function isBelow(origin: string, pattern: string): boolean {
  const [scheme, parent] = pattern.split("://*.");
  return parent !== undefined && origin.startsWith(`${scheme}://`) && origin.endsWith(`.${parent}`);
}
