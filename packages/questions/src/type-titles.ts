/** Turns `multiple_choice` into `MultipleChoice`, for names of schemas. */
export const titleOf = (name: string): string =>
  name.replace(/(?:^|_)([a-z])/g, (_whole, letter: string) => letter.toUpperCase());

/** The `discriminator` of OpenAPI for variants by type. The document names each variant by its title. */
export function discriminatorOf(propertyName: string, variants: readonly { typeName: string; schema: object }[]) {
  const mapping = variants.map(({ typeName, schema }) => {
    const { title } = schema as { title: string };
    return [typeName, `#/components/schemas/${title}`];
  });
  return { propertyName, mapping: Object.fromEntries(mapping) as Record<string, string> };
}
