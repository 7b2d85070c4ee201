const longestName = 64;

/** Names of variables from ids of columns: letters, digits and underlines, different also when case is ignored. */
export function variableNames(ids: readonly string[]): string[] {
  const taken = new Set<string>();
  return ids.map((id) => {
    const plain = id.replaceAll(/[^A-Za-z0-9]/g, "_");
    // A name begins with a letter.
    const wanted = (/^[A-Za-z]/.test(plain) && !/^[a-z0-9]{16}/.test(plain) ? plain : `q_${plain}`).slice(
      0,
      longestName,
    );
    let name = wanted;
    for (let number = 2; taken.has(name.toLowerCase()); number += 1) {
      name = `${wanted.slice(0, longestName - 1 - String(number).length)}_${number}`;
    }
    taken.add(name.toLowerCase());
    return name;
  });
}
