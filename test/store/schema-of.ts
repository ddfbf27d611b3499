import { sql } from "kysely";
import { isPostgresUrl, openDatabase } from "../../src/store/db/open-database.ts";

/** The tables, columns, constraints and indexes of a database. Columns may have come in another order. */
export async function schemaOf(database: string): Promise<object> {
  const db = openDatabase(database);
  const read = async (statement: string) => (await sql.raw(statement).execute(db)).rows;
  const statements = isPostgresUrl(database) ? onPostgres : onSqlite;
  const found = await Promise.all(statements.map(read));
  await db.destroy();
  return found;
}

const onSqlite = [
  `select t.name as table_name, c.name, c.type, c."notnull", c.dflt_value, c.pk from sqlite_master t, pragma_table_info(t.name) c
   where t.type = 'table' order by 1, 2`,
  "select t.name as table_name, f.* from sqlite_master t, pragma_foreign_key_list(t.name) f where t.type = 'table' order by 1",
  "select name, tbl_name, sql from sqlite_master where type = 'index' order by name",
];

const onPostgres = [
  `select table_name, column_name, data_type, is_nullable, column_default, is_identity from information_schema.columns
   where table_schema = current_schema() order by 1, 2`,
  `select conrelid::regclass::text as table_name, conname, pg_get_constraintdef(oid) as definition from pg_constraint
   where connamespace = current_schema()::regnamespace order by 1, 2`,
  "select indexname, indexdef from pg_indexes where schemaname = current_schema() order by 1",
];
