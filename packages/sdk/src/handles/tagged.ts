/** Data of the API with its ETag. */
export type Tagged<Data> = Data & { readonly etag: string };

/** Returns data and ETag of an envelope. Throws if the operation has none. */
export function tagged<Data extends object>({ data, meta }: { data: Data; meta: { etag?: string } }): Tagged<Data> {
  if (meta.etag === undefined) throw new Error("the response has no ETag");
  return { ...data, etag: meta.etag };
}
