import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { basename, join } from "node:path";
import { ServiceMonitor } from "@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1";
import { Deployment } from "kubernetes-models/apps/v1";
import { NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1";
import { ConfigMap, Secret, Service } from "kubernetes-models/v1";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { readEnvironment } from "../../src/config/environment.ts";
import { parseSettings } from "../../src/config/read-settings.ts";
import { openStore } from "../../src/store/open-store.ts";
import { aChange } from "../changes/build.ts";
import { makeFolder } from "../support/memory-folder.ts";

const folder = "manifest/kubernetes";
const read = (name: string): unknown => parse(readFileSync(join(folder, name), "utf8"));

/** Kubernetes' own schemas, as classes and as types; that of ServiceMonitor is the Prometheus operator's. */
const kinds = [
  ["configmap.yaml", ConfigMap, "kubernetes-models/v1"],
  ["deployment.yaml", Deployment, "kubernetes-models/apps/v1"],
  ["networkpolicy.yaml", NetworkPolicy, "kubernetes-models/networking.k8s.io/v1"],
  ["poddisruptionbudget.yaml", PodDisruptionBudget, "kubernetes-models/policy/v1"],
  ["secret.yaml", Secret, "kubernetes-models/v1"],
  ["service.yaml", Service, "kubernetes-models/v1"],
  ["servicemonitor.yaml", ServiceMonitor, "@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1"],
] as const;

/** What the compiler finds wrong: above all, keys that the schemas do not know, which Kubernetes itself would ignore. */
function typeErrors(objects: readonly (readonly [kind: string, from: string, value: unknown])[]): string {
  const made = mkdtempSync(join("node_modules", ".kubernetes-"));
  try {
    const lines = objects.map(([kind, from, value], at) => {
      return `import type { I${kind} as K${at} } from ${JSON.stringify(from)};\nexport const o${at}: K${at} = ${JSON.stringify(value)};`;
    });
    const file = join(made, "objects.ts");
    writeFileSync(file, lines.join("\n"));
    const options = ["--noEmit", "--ignoreConfig", "--module", "nodenext", "--strict", "--skipLibCheck"];
    return spawnSync("npx", ["tsc", ...options, file], { encoding: "utf8" }).stdout;
  } finally {
    rmSync(made, { recursive: true });
  }
}

const container = z.looseObject({
  image: z.string(),
  env: z.array(z.strictObject({ name: z.string(), value: z.string() })),
  ports: z.array(z.looseObject({ name: z.string(), containerPort: z.number() })),
  volumeMounts: z.array(z.looseObject({ name: z.string(), mountPath: z.string(), readOnly: z.literal(true) })),
  resources: z.looseObject({ limits: z.looseObject({ memory: z.string() }) }),
  securityContext: z.looseObject({ readOnlyRootFilesystem: z.literal(true) }),
});
const deployment = z
  .looseObject({
    spec: z.looseObject({
      template: z.looseObject({
        metadata: z.looseObject({ labels: z.record(z.string(), z.string()) }),
        spec: z.looseObject({
          terminationGracePeriodSeconds: z.number(),
          securityContext: z.looseObject({ runAsNonRoot: z.literal(true), runAsUser: z.number().positive() }),
          containers: z.tuple([container]),
        }),
      }),
    }),
  })
  .parse(read("deployment.yaml")).spec.template;
const [curfew] = deployment.spec.containers;

describe("the Kubernetes manifests", () => {
  test.each(kinds)("%s is as Kubernetes' schema says", (name, Kind) => {
    const object = new Kind(Object(read(name)));
    expect(() => object.validate()).not.toThrow();
    expect(read(name)).toMatchObject({ kind: Kind.name, metadata: { name: "curfew" } });
  });

  test("have no key that the schemas do not know", () => {
    const objects = kinds.map(([name, Kind, from]) => [Kind.name, from, read(name)] as const);
    expect(typeErrors(objects)).toBe("");
    const misspelt = { spec: { endpoints: [{ pth: "/metrics" }], selector: {} } };
    expect(typeErrors([["ServiceMonitor", kinds[6][2], misspelt]])).toMatch(/'"pth"' does not exist/);
  });

  test("are all of the folder", () => {
    expect(readdirSync(folder).sort()).toEqual(kinds.map(([name]) => name));
  });

  test("start a Curfew: its variables, secrets and permissions file are whole", () => {
    const { data } = z.looseObject({ data: z.record(z.string(), z.string()) }).parse(read("configmap.yaml"));
    const { stringData } = z.looseObject({ stringData: z.record(z.string(), z.string()) }).parse(read("secret.yaml"));
    const mounted = { config: data, secrets: stringData };
    const readFile = (path: string): string => {
      const mount = curfew.volumeMounts.find(({ mountPath }) => path.startsWith(`${mountPath}/`));
      const content = z.enum(["config", "secrets"]).safeParse(mount?.name).data;
      return (content && mounted[content][basename(path)]) ?? "";
    };
    const env = Object.fromEntries(curfew.env.map(({ name, value }) => [name, value]));
    const environment = readEnvironment({ ...env, NODE_ENV: "production" }, readFile);
    expect(environment).toMatchObject({ kind: "slack", slack: { receiver: { kind: "http" } } });
    if (environment.kind !== "slack") return;
    expect(environment.configFile.startsWith("/etc/curfew/config/")).toBe(true);
    expect(parseSettings(readFile(environment.configFile), "curfew.yaml")).toMatchObject({ lint: { error: [] } });
    const ports = Object.fromEntries(curfew.ports.map(({ name, containerPort }) => [name, containerPort]));
    expect(ports).toEqual({ http: environment.port, metrics: environment.metrics.port });
    // preStop, DRAIN_SECONDS and the rest of a stop, which Curfew ends after 25 seconds.
    expect(deployment.spec.terminationGracePeriodSeconds).toBeGreaterThan(5 + 25);
  });

  test("run the version that they come with", () => {
    const { version }: { version: string } = JSON.parse(readFileSync("package.json", "utf8"));
    expect(curfew.image.endsWith(`/curfew:${version}`)).toBe(true);
  });

  test("select the pods of the deployment everywhere", () => {
    const labels = JSON.stringify(deployment.metadata.labels);
    for (const [name] of kinds.filter(([, Kind]) => ![ConfigMap, Secret].some((other) => other === Kind)))
      expect(JSON.stringify(read(name))).toContain(labels);
  });
});

test("the image's own Node backs up the database of a running Curfew, as the documents say", async () => {
  const [, script = ""] =
    /^docker exec curfew node -e "(.*)"$/m.exec(readFileSync("manifest/OPERATING.md", "utf8")) ?? [];
  const home = makeFolder("curfew-backup");
  const store = await openStore(join(home, "data", "curfew.db"));
  try {
    await store.begin(aChange());
    // Node 20 has no SQLite, unlike the image's.
    const packaged = createRequire(import.meta.url).resolve("@photostructure/sqlite");
    const hasOwn = isBuiltin("node:sqlite");
    const own = script.replaceAll('\\"', '"').replace("node:sqlite", hasOwn ? "node:sqlite" : packaged);
    execFileSync(process.execPath, ["-e", own], { cwd: home });
  } finally {
    await store.close();
  }
  const copy = await openStore(join(home, "data", "curfew-backup.db"));
  expect(await copy.find("chg-1")).toEqual(aChange());
  await copy.close();
  rmSync(home, { recursive: true });
});

/** The sections of a unit, with each key's values. */
function sectionsOf(unit: string): Map<string, [string, string][]> {
  const sections = new Map<string, [string, string][]>();
  let current: [string, string][] = [];
  for (const line of unit.split("\n").filter((each) => each !== "" && !each.startsWith("#"))) {
    const [, section] = /^\[(\w+)\]$/.exec(line) ?? [];
    const [, key, value = ""] = /^([A-Z]\w+)=(.*)$/.exec(line) ?? [];
    if (section !== undefined) {
      current = [];
      sections.set(section, current);
    } else if (key !== undefined) current.push([key, value]);
    else throw new Error(`not a line of a unit: ${line}`);
  }
  return sections;
}

describe("the systemd unit", () => {
  const file = "manifest/curfew.service";
  const sections = sectionsOf(readFileSync(file, "utf8"));
  const service = sections.get("Service") ?? [];
  const settingOf = (key: string) => service.find(([each]) => each === key)?.[1];

  test("has the sections of a service, and starts what package.json starts", () => {
    expect([...sections.keys()]).toEqual(["Unit", "Service", "Install"]);
    const { scripts }: { scripts: { start: string } } = JSON.parse(readFileSync("package.json", "utf8"));
    expect(settingOf("ExecStart")).toBe(`/usr/bin/${scripts.start}`);
    expect(Number(settingOf("TimeoutStopSec"))).toBeGreaterThan(25);
    expect([settingOf("User"), settingOf("ProtectSystem"), settingOf("NoNewPrivileges")]).toEqual([
      "curfew",
      "strict",
      "yes",
    ]);
  });

  test("sets variables that Curfew reads", () => {
    const pairs = service.filter(([key]) => key === "Environment").flatMap(([, value]) => value.split(" "));
    const env = Object.fromEntries(pairs.map((pair) => [pair.split("=", 1)[0], pair.slice(pair.indexOf("=") + 1)]));
    const given = { ...env, SCHEDULER_BASE_URL: "https://scheduler.example.com" };
    const environment = readEnvironment(given, (path) => (path.endsWith("bot-token") ? "xoxb-1" : "secret"));
    expect(environment).toMatchObject({ kind: "slack", database: "/var/lib/curfew/curfew.db" });
  });

  test("is accepted by systemd itself, where there is one", () => {
    const isThere = spawnSync("systemd-analyze", ["--version"]).status === 0;
    const said = isThere ? execFileSync("systemd-analyze", ["verify", file], { encoding: "utf8" }) : "";
    expect(said).toBe("");
  });
});
