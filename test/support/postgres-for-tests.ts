import pg from "pg";
import type { TestProject } from "vitest/node";
import { openStore } from "../../src/store/open-store.ts";
import { findPostgres, startPostgres } from "./postgres.ts";

/** The templates for the tests' databases: one with this version's schema, and an empty one. */
export const templates = { migrated: "curfew_migrated", empty: "template0" } as const;

declare module "vitest" {
  interface ProvidedContext {
    /** The PostgreSQL of the current tests; undefined for tests on SQLite. */
    postgresUrl: string | undefined;
  }
}

/** One PostgreSQL for the whole run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const binaries = findPostgres(process.env);
  if (binaries === undefined) throw new Error("There is no PostgreSQL to test on.");
  const server = await startPostgres(binaries);
  try {
    await makeTemplate(server.url);
  } catch (error) {
    await server.stop();
    throw error;
  }
  project.provide("postgresUrl", server.url);
  return server.stop;
}

async function makeTemplate(url: string): Promise<void> {
  const client = new pg.Client(`${url}/postgres`);
  await client.connect();
  await client.query(`create database ${templates.migrated}`);
  await client.end();
  const store = await openStore(`${url}/${templates.migrated}`);
  await store.close();
}
