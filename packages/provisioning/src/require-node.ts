import { OperationalError } from "./operational-error.ts";

const REQUIRED_NODE = 26;

export function requireNode(): void {
  const version = process.versions.node;
  if (Number.parseInt(version, 10) >= REQUIRED_NODE) return;
  throw new OperationalError(
    `This is Node.js ${version}, but Canvass runs on ${REQUIRED_NODE}; "npx -y pnpm@12 start" brings the right one along.`,
  );
}
