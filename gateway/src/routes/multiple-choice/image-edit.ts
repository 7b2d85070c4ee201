/** A choice's picture as it is sent: left out it stays, null takes it off. */
export const imageEdit = (imageUrl: string | null | undefined) =>
  imageUrl === undefined ? {} : { image: imageUrl === null ? {} : { url: imageUrl } };
