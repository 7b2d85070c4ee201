// The health check of an image, which has no shell: ends with 0 when the process is ready.
import { get } from "node:http";

const port = process.env["CANVASS_OPS_PORT"];
get(`http://127.0.0.1:${port}/readyz`, { timeout: 2_000 }, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1))
  .on("timeout", () => process.exit(1))
  .on("error", () => process.exit(1));
