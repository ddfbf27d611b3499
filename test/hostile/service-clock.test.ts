import { expect, test } from "vitest";
import { answers, startRecordingService } from "../service/recording-service.ts";
import { callWithSample } from "../service/sample-inputs.ts";
import { createTestClient } from "../service/test-client.ts";

test.each([-3_600_000, 3_600_000, -172_800_000, 172_800_000])(
  "a call is retried as usual when the clock moves by %d ms in between",
  async (byMs) => {
    const service = await startRecordingService(answers(503, "busy"));
    let now = Date.now();
    const { client, waits } = createTestClient(service.url, {
      now: () => {
        now += byMs;
        return now;
      },
    });
    expect((await callWithSample(client, "GetAction")).kind).toBe("failed");
    expect([service.requests.length, waits.length]).toEqual([3, 2]);
  },
);
