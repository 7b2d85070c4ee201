import { authority, signedBy } from "@canvass/rpc/testing";

export { authority, signedBy };

/** PEM. */
export interface TestCertificates {
  ca: string;
  key: string;
  cert: string;
}

export async function testCertificates(names: readonly string[]): Promise<TestCertificates> {
  const ca = await authority();
  return { ca: ca.cert, ...(await signedBy(ca, { names })) };
}
