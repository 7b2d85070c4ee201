import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from "node:crypto";

const COST = 2 ** 14;
const BLOCK_SIZE = 8;
const PARALLEL = 1;
const LENGTH = 32;

/** Hashes the password of a survey or link with scrypt (RFC 7914) as `scrypt$cost$blockSize$parallel$salt$hash`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, { cost: COST, blockSize: BLOCK_SIZE, parallelization: PARALLEL });
  return ["scrypt", COST, BLOCK_SIZE, PARALLEL, salt.toString("base64"), key.toString("base64")].join("$");
}

/** True if the hash is of that password. Compares in constant time. */
export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const [, cost, blockSize, parallelization, salt = "", expected = ""] = hash.split("$");
  const options = { cost: Number(cost), blockSize: Number(blockSize), parallelization: Number(parallelization) };
  const key = await derive(password, Buffer.from(salt, "base64"), options);
  return timingSafeEqual(key, Buffer.from(expected, "base64"));
}

function derive(password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // Keyboards may encode the same password differently.
    scrypt(password.normalize("NFKC"), salt, LENGTH, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}
