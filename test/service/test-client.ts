import { onTestFinished } from "vitest";
import { createServiceClient, type ServiceClient, type ServiceClientOptions } from "../../src/service/client.ts";

export const testKey = "sk_0123456789abcdefghijABCDEFGHIJ01";

/** A client that does not wait between attempts. `waits` records the skipped delays. */
export function createTestClient(
  baseUrl: string,
  options: Partial<ServiceClientOptions> = {},
): { client: ServiceClient; waits: readonly number[] } {
  const waits: number[] = [];
  const sleep = async (ms: number) => {
    waits.push(ms);
  };
  const client = createServiceClient({ baseUrl, apiKey: testKey, sleep, random: () => 1, retries: 2, ...options });
  onTestFinished(() => client.close());
  return { client, waits };
}
