/** Data of the API, and the ETag of what was read. */
export type Tagged<Data> = Data & { readonly etag: string };

/** Takes data and ETag out of an envelope. Throws where the operation has none. */
export function tagged<Data extends object>({ data, meta }: { data: Data; meta: { etag?: string } }): Tagged<Data> {
  if (meta.etag === undefined) throw new Error("the response has no ETag");
  return { ...data, etag: meta.etag };
}
