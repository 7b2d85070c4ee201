import { authority, signedBy } from "@canvass/rpc/testing";

export { authority, signedBy };

/** Key, certificate and their authority, all PEM. */
export interface TestCertificates {
  ca: string;
  key: string;
  cert: string;
}

/** Creates an authority, and a certificate for these names and addresses. */
export async function testCertificates(names: readonly string[]): Promise<TestCertificates> {
  const ca = await authority();
  return { ca: ca.cert, ...(await signedBy(ca, { names })) };
}
