import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { createMetricsWhenReady } from "../../src/observability/metrics-when-ready.ts";
import { samplesIn } from "../support/prometheus-samples.ts";

const rules = z
  .object({
    groups: z.array(
      z.object({
        name: z.string(),
        rules: z.array(
          z.strictObject({
            alert: z.string(),
            expr: z.string(),
            for: z.string().optional(),
            labels: z.object({ severity: z.enum(["page", "ticket"]) }),
            annotations: z.strictObject({ summary: z.string(), whatToDo: z.string() }),
          }),
        ),
      }),
    ),
  })
  .parse(parse(readFileSync("manifest/curfew.alerts.yaml", "utf8")))
  .groups.flatMap((group) => group.rules);

const dashboard = z
  .looseObject({
    templating: z.object({ list: z.array(z.looseObject({ name: z.string(), query: z.string() })) }),
    panels: z.array(
      z.looseObject({
        id: z.number(),
        title: z.string(),
        gridPos: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
        targets: z.array(z.looseObject({ expr: z.string(), legendFormat: z.string() })).default([]),
      }),
    ),
  })
  .parse(JSON.parse(readFileSync("manifest/curfew.dashboard.json", "utf8")));

const expressions = [
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...dashboard.panels.flatMap(({ title, targets }) =>
    targets.map(({ expr }) => [`the panel “${title}”`, expr] as const),
  ),
];

/** The PromQL keywords in these expressions. Every other word must be a metric. */
const promql = new Set("min max count sum by rate increase histogram_quantile or absent".split(" "));

/** Every metric of a running Curfew, with its possible labels. */
const exported = new Map<string, Set<string>>();
/** Labels that Prometheus adds itself. */
const fromPrometheus = ["job", "instance"];

beforeAll(async () => {
  const backlog = { announcements: 0, oldestAnnouncementAt: undefined, approvals: 0, overdueSince: undefined };
  const { measure, load } = createMetricsWhenReady({
    backlog: async () => backlog,
    config: () => ({ inForce: { hash: "0a1b", since: 0, by: "U03CAROL" }, newer: undefined }),
    troubles: new Map(),
    silentAccounts: new Map(),
    now: Date.now,
  });
  measure.onCommand("help", "answered");
  measure.onOutcome("ModifyUser", "succeeded");
  measure.onExchange({ operation: "GetAction" }, { kind: "lost" }, 1);
  measure.onCall("auth.test", "ok", 1);
  measure.onAck("command", 1);
  measure.onQuery("select", "ok", 1);
  for (const { name, labels } of samplesIn((await (await load()).scrape()).text)) {
    const known = exported.get(name) ?? new Set(fromPrometheus);
    for (const label of Object.keys(labels)) known.add(label);
    exported.set(name, known);
  }
  exported.set("up", new Set(fromPrometheus));
});

/** The metrics in an expression with the labels that select them, and the labels that it sums by. */
function readsOf(expression: string) {
  const plain = expression.replaceAll(/"[^"]*"/g, '""').replaceAll(/\[[^\]]*\]/g, "");
  const sumsBy = [...plain.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels = ""]) =>
    labels.split(",").map((label) => label.trim()),
  );
  const words = [...plain.replaceAll(/\bby \([^)]*\)/g, "").matchAll(/([a-z_]\w*)(?:\{([^}]*)\})?/g)];
  const selectors = words.filter(([, word = ""]) => !promql.has(word));
  const metrics = selectors.map(([, name = "", selector = ""]) => ({
    name,
    labels: [...selector.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = ""]) => label),
  }));
  return { metrics, sumsBy };
}

test("finds the metrics and labels in an expression", () => {
  const read = readsOf(
    `histogram_quantile(0.9, sum by (le, a) (rate(x_bucket{job="$job", b=~"c|d"}[10m]))) / up > 0.5`,
  );
  expect(read).toEqual({
    metrics: [
      { name: "x_bucket", labels: ["job", "b"] },
      { name: "up", labels: [] },
    ],
    sumsBy: ["le", "a"],
  });
});

test("an instance that is gone from the scrape config counts as down", () => {
  expect(rules.find(({ alert }) => alert === "CurfewDown")?.expr).toContain('or absent(up{job="curfew"})');
});

test("finds expressions in the alerts and the dashboard", () => {
  expect(rules.length).toBeGreaterThan(10);
  expect(expressions.length).toBeGreaterThan(rules.length + 15);
});

test.each(expressions)("%s reads only existing metrics and labels", (_name, expression) => {
  const { metrics, sumsBy } = readsOf(expression);
  expect(metrics.length).toBeGreaterThan(0);
  for (const { name, labels } of metrics) {
    expect([...exported.keys()]).toContain(name);
    for (const label of [...labels, ...sumsBy]) expect([...(exported.get(name) ?? [])], name).toContain(label);
  }
});

test("the dashboard shows every Curfew metric", () => {
  const shown = expressions.flatMap(([, expression]) => readsOf(expression).metrics.map(({ name }) => name));
  const base = (name: string) => name.replace(/_(?:bucket|count|sum)$/, "");
  const ours = [...exported.keys()].filter((name) => name.startsWith("curfew_")).map(base);
  expect(new Set(shown.map(base).filter((name) => name.startsWith("curfew_")))).toEqual(new Set(ours));
});

test("an alert's text uses only labels that its expression keeps", () => {
  for (const { alert, expr, annotations } of rules) {
    const used = [...annotations.summary.matchAll(/\$labels\.(\w+)/g)].map(([, label]) => label);
    const { sumsBy } = readsOf(expr);
    expect(
      used.filter((label) => !sumsBy.includes(label ?? "")),
      alert,
    ).toEqual([]);
  }
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
});

describe("the dashboard", () => {
  const { panels, templating } = dashboard;

  test("has panels with unique ids that do not overlap and fit the width", () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, index) => `${x + (index % w)}:${y + Math.floor(index / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(panels.filter(({ gridPos: { x, w } }) => x + w > 24)).toEqual([]);
  });

  test("uses exactly the variables that it declares", () => {
    const names = templating.list.map(({ name }) => name);
    const used = [...JSON.stringify(panels).matchAll(/\$\{?(\w+)\}?/g)].map(([, name = ""]) => name);
    expect(new Set(used)).toEqual(new Set([...names, "__rate_interval"]));
  });

  test("has legends only of labels that their expressions keep", () => {
    for (const { title, targets } of panels) {
      for (const { expr, legendFormat } of targets) {
        const { metrics, sumsBy } = readsOf(expr);
        const left = sumsBy.length > 0 ? sumsBy : metrics.flatMap(({ name }) => [...(exported.get(name) ?? [])]);
        const used = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = ""]) => label);
        expect(
          used.filter((label) => !left.includes(label)),
          title,
        ).toEqual([]);
      }
    }
  });
});
