import type { App } from "@slack/bolt";

/** Slack may send null for an optional field, such as a channel, and Bolt fails on it. Works for both receivers, since both call `processEvent`. */
export function dropNulls(app: App): void {
  const process = app.processEvent.bind(app);
  app.processEvent = (event) => process({ ...event, body: withoutNulls(event.body, maxDepth) });
}

/** As deep as a field is read. What people wrote may be nested deeper. */
const maxDepth = 4;

function withoutNulls(fields: object, depth: number): Record<string, unknown> {
  const given = Object.entries(fields).filter(([, value]) => value !== null);
  return Object.fromEntries(
    given.map(([key, value]) => [key, isObject(value) && depth > 1 ? withoutNulls(value, depth - 1) : value]),
  );
}

const isObject = (value: unknown): value is object => typeof value === "object" && !Array.isArray(value);
