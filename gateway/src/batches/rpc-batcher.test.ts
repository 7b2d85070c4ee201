import { AppError } from "@canvass/errors";
import { expect, test } from "vitest";
import { createRpcBatcher } from "./rpc-batcher.ts";

test("`unauthorized` as the response to a batch becomes `internal_error`", async () => {
  const call = createRpcBatcher<number, number>({
    deadlineMs: 1_000,
    send: () => Promise.reject(new AppError("unauthorized")),
  });
  await expect(call(1)).rejects.toMatchObject({ code: "internal_error" });
});
