import { useEffect, useId, useRef, useState } from "preact/hooks";
import type { PanelTable } from "../../wire.ts";

/** One of the service's tables. A row that changed since it was last told is marked. */
export function Tables({ tables }: { readonly tables: readonly PanelTable[] }) {
  const [name, setName] = useState(tables[0]?.name ?? "");
  const id = useId();
  const changed = useChangedRows(tables);
  const table = tables.find((each) => each.name === name);
  return (
    <>
      <label class="label" for={id}>
        Show
      </label>
      <select id={id} value={name} onChange={(event) => setName(event.currentTarget.value)}>
        {tables.map((each) => (
          <option key={each.name} value={each.name}>
            {each.name} ({each.rows.length})
          </option>
        ))}
      </select>
      {table && <Table table={table} changed={changed} />}
    </>
  );
}

function Table({ table, changed }: { readonly table: PanelTable; readonly changed: ReadonlySet<string> }) {
  const [opened, setOpened] = useState<string | undefined>();
  return (
    <div class="scrolls">
      <table>
        <caption class="for-readers">{table.name}</caption>
        <thead>
          <tr>
            {table.columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map(({ id, cells, isFaded, details }) => (
            <tr key={id} class={[isFaded ? "faded" : "", changed.has(keyOf(table, id)) ? "changed" : ""].join(" ")}>
              {cells.map((cell, column) => (
                <td key={table.columns[column]}>
                  {column === 0 ? (
                    <>
                      <button
                        type="button"
                        class="button link"
                        aria-expanded={opened === id}
                        onClick={() => setOpened(opened === id ? undefined : id)}
                      >
                        {cell}
                      </button>
                      <code class="id">{id}</code>
                      {opened === id && <pre>{details}</pre>}
                    </>
                  ) : (
                    cell
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function keyOf(table: PanelTable, id: string): string {
  return `${table.name} ${id}`;
}

/** The rows that the latest news made or changed. */
function useChangedRows(tables: readonly PanelTable[]): ReadonlySet<string> {
  const before = useRef<ReadonlyMap<string, string> | undefined>();
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const now = new Map(
      tables.flatMap((table) =>
        table.rows.map((row) => [keyOf(table, row.id), row.details + row.cells.join()] as const),
      ),
    );
    const known = before.current;
    if (known) setChanged(new Set([...now].filter(([key, look]) => known.get(key) !== look).map(([key]) => key)));
    before.current = now;
  }, [tables]);
  return changed;
}
