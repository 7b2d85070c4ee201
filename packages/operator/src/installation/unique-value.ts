export type Place = { where: string; value: string };

/** Returns the value of all `places`. If they differ, `conflicts` has a sentence with the places, but no values. */
export function uniqueValue(
  what: string,
  places: readonly Place[],
): { value: string | undefined; conflicts: string[] } {
  const groups = [...Map.groupBy(places, ({ value }) => value).values()];
  const value = places[0]?.value;
  if (groups.length < 2) return { value, conflicts: [] };
  const where = groups.map((group) => group.map((place) => place.where).join(", "));
  return { value, conflicts: [`${what} differs: one in ${where.join("; another in ")}. Make them the same.`] };
}
