import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { ask, cardOf } from "../support/journey.ts";
import { type Curfew, startCurfew } from "../support/start-curfew.ts";

const attribute = z.object({ key: z.string(), value: z.object({ stringValue: z.string().optional() }) });
const span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  attributes: z.array(attribute),
});
const exported = z.object({
  resourceSpans: z.array(z.object({ scopeSpans: z.array(z.object({ spans: z.array(span) })) })),
});

/** The part of an OpenTelemetry collector that accepts spans. */
async function startCollector() {
  const spans: z.infer<typeof span>[] = [];
  const texts: string[] = [];
  const keys: unknown[] = [];
  const server = createServer(async (request, response) => {
    keys.push(request.headers["api-key"]);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    texts.push(text);
    const { resourceSpans } = exported.parse(JSON.parse(text));
    spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  // It listens on a port, not on a path.
  const { port } = server.address() as AddressInfo;
  return { spans, texts, keys, endpoint: `http://127.0.0.1:${port}`, close: () => server.close() };
}

describe("traces", () => {
  let collector: Awaited<ReturnType<typeof startCollector>>;
  let curfew: Curfew;
  let changeId = "";
  beforeAll(async () => {
    collector = await startCollector();
    curfew = await startCurfew({ tracing: { endpoint: collector.endpoint, headers: { "api-key": "collectors-key" } } });
    ({ changeId } = await ask(curfew, "carol", "exclude staging for 1h --reason demo"));
    await cardOf(curfew, changeId);
    await ask(curfew, "gina", "exclude staging for 1h");
    // The remaining spans are sent when it stops.
    await curfew.stop();
  });
  afterAll(() => collector.close());

  const named = (name: string) => {
    const found = collector.spans.find((each) => each.name === name);
    if (!found) throw new Error(`no span ${name} among ${collector.spans.map((each) => each.name).join(", ")}`);
    const attributes = found.attributes.map(({ key, value }) => [key, value.stringValue]);
    return { ...found, attributes: Object.fromEntries(attributes) };
  };

  it("link the command to the service call and the announcement", () => {
    const command = named("exclusion create");
    expect(command.attributes).toEqual({ "curfew.outcome": "settled", "curfew.change.id": changeId });
    for (const name of ["CreateActionExclusion", "announce card"])
      expect(named(name)).toMatchObject({ traceId: command.traceId, parentSpanId: command.spanId });
    expect(named("slack chat.postMessage").parentSpanId).toBe(named("announce card").spanId);
    expect(named("CreateActionExclusion").attributes).toEqual({ "curfew.outcome": "succeeded" });
  });

  it("contain no requester, channel or arguments", () => {
    const sent = collector.texts.join("\n");
    const { workspace, service } = curfew;
    const unsaid = ["U03CAROL", "carol", "gina", "C0OPS", "staging", "demo", workspace.botToken, service.apiKey];
    expect(unsaid.filter((word) => sent.includes(word))).toEqual([]);
    expect(sent).toContain("exclusion create");
  });

  it("carry the headers that the collector requires", () => {
    expect(new Set(collector.keys)).toEqual(new Set(["collectors-key"]));
  });
});

it("a collector that hangs does not delay replies or the stop", async () => {
  const curfew = await startCurfew({ tracing: { endpoint: "http://127.0.0.1:9", headers: {} } });
  expect((await ask(curfew, "carol", "exclude staging for 1h")).text).toContain("Keeping ");
  await curfew.stop();
});
