type Part = Record<string, unknown>;

/** Returns the differing members of two JSON objects, recursively: `[was, is]`. Compares arrays as a whole. */
export function changedParts(before: object, after: object): [was: Part, is: Part] {
  const was: [string, unknown][] = [];
  const is: [string, unknown][] = [];
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, current] = [memberOf(before, name), memberOf(after, name)];
    if (JSON.stringify(old) === JSON.stringify(current)) continue;
    const [oldPart, currentPart] = isObject(old) && isObject(current) ? changedParts(old, current) : [old, current];
    if (isEmpty(oldPart) && isEmpty(currentPart)) continue;
    if (oldPart !== undefined) was.push([name, oldPart]);
    if (currentPart !== undefined) is.push([name, currentPart]);
  }
  // Object.fromEntries, because assigning to `__proto__` would set the prototype.
  return [Object.fromEntries(was), Object.fromEntries(is)];
}

function memberOf(object: object, name: string): unknown {
  return Object.hasOwn(object, name) ? (object as Part)[name] : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isEmpty(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}
