import { type Project, type QueryResult, rowsPerPage, type SiteTables } from "@nido/contract";
import { type FormEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { api, post } from "../api/api.ts";
import { formatBytes } from "../i18n/bytes.ts";
import { currentLanguage } from "../i18n/language.ts";
import { serverPaths } from "../paths.ts";
import { useChange } from "../state/useChange.ts";
import { Button } from "../ui/Button.tsx";
import { Card } from "../ui/Card.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { SelectField } from "../ui/Field.tsx";

/** The database of a WordPress site: its tables, their rows, and statements in SQL. */
export function SiteDatabase({ project }: { project: Project }) {
  const { t } = useTranslation();
  const id = useId();
  const path = serverPaths.database(project.id);
  const { busy, fault, run } = useChange();
  const [tables, setTables] = useState<SiteTables["tables"]>();
  const [shown, setShown] = useState<{ table: string; offset: number }>();
  const [result, setResult] = useState<QueryResult>();
  const [statement, setStatement] = useState("");

  const open = () => run("open", async () => setTables((await api<SiteTables>(path, { timeoutMs: null })).tables), "");
  async function show(table: string, offset: number) {
    if (busy) return;
    const before = shown;
    setShown({ table, offset });
    const query = new URLSearchParams({ table, offset: String(offset) });
    const answer = await run("rows", () => api<QueryResult>(`${path}/rows?${query}`, { timeoutMs: null }), "");
    if (answer) setResult(answer);
    else setShown(before);
  }
  async function ask(event: FormEvent) {
    event.preventDefault();
    if (busy || statement.trim() === "") return;
    const query = () => api<QueryResult>(`${path}/query`, { ...post({ sql: statement }), timeoutMs: null });
    const answer = await run("query", query, "");
    if (!answer) return;
    setShown(undefined);
    setResult(answer);
  }

  return (
    <section className="mb-9">
      <h2 className="text-section font-[640]">{t("project.database.title")}</h2>
      <p className="mt-1 mb-3 max-w-[65ch] text-small text-ink-2">{t("project.database.intro")}</p>
      <Card className="divide-y divide-line overflow-hidden">
        {!tables && (
          <div className="p-5">
            <Button size="small" busy={busy === "open"} onClick={open}>
              {t("project.database.open")}
            </Button>
          </div>
        )}
        {tables && (
          <>
            <div className="p-5">
              <SelectField
                label={t("project.database.table")}
                value={shown?.table ?? ""}
                onChange={({ target }) => target.value && show(target.value, 0)}
              >
                <option value="">{t("project.database.choose")}</option>
                {tables.map(({ name, rows, size }) => (
                  <option key={name} value={name}>
                    {[
                      name,
                      t("project.database.rows", { count: rows }),
                      size !== undefined && formatBytes(size, currentLanguage()),
                    ]
                      .filter(Boolean)
                      .join(" · ")}
                  </option>
                ))}
              </SelectField>
            </div>
            <form onSubmit={ask} className="flex flex-col items-start gap-3 p-5">
              <label htmlFor={id} className="text-small font-[600]">
                {t("project.database.statement")}
              </label>
              <textarea
                id={id}
                rows={3}
                value={statement}
                onChange={({ target }) => setStatement(target.value)}
                aria-describedby={`${id}-hint`}
                placeholder="SELECT option_value FROM wp_options WHERE option_name = 'home'"
                autoCapitalize="off"
                autoComplete="off"
                spellCheck={false}
                className="w-full rounded-control border border-line-strong bg-surface px-3 py-2 font-mono text-[0.8125rem] outline-none placeholder:text-ink-3 focus:border-focus focus:ring-3 focus:ring-focus/20"
              />
              <p id={`${id}-hint`} className="text-small text-ink-3">
                {t("project.database.hint")}
              </p>
              <Button size="small" type="submit" busy={busy === "query"}>
                {t("project.database.run")}
              </Button>
            </form>
          </>
        )}
        {result && <Result result={result} isPage={shown !== undefined} />}
        {result && shown && (shown.offset > 0 || result.has_more) && (
          <div className="flex flex-wrap items-center justify-between gap-3 px-5 py-3">
            <p className="text-small text-ink-2">
              {t("project.database.place", { from: shown.offset + 1, to: shown.offset + result.rows.length })}
            </p>
            <div className="flex gap-3">
              <Button
                size="small"
                disabled={shown.offset === 0}
                onClick={() => show(shown.table, shown.offset - rowsPerPage)}
              >
                {t("project.database.previous")}
              </Button>
              <Button
                size="small"
                disabled={!result.has_more}
                onClick={() => show(shown.table, shown.offset + rowsPerPage)}
              >
                {t("project.database.next")}
              </Button>
            </div>
          </div>
        )}
      </Card>
      {fault && (
        <div className="mt-4">
          <ErrorBox>{fault}</ErrorBox>
        </div>
      )}
    </section>
  );
}

function Result({ result, isPage }: { result: QueryResult; isPage: boolean }) {
  const { columns, rows, changed, problem, has_more: hasMore } = result;
  const { t } = useTranslation();
  if (problem)
    return (
      <div className="p-5">
        <ErrorBox>
          <span className="font-mono text-[0.8125rem] break-words">{problem}</span>
        </ErrorBox>
      </div>
    );
  return (
    <div>
      {rows.length === 0 ? (
        <p role="status" className="p-5 text-ink-2">
          {changed === undefined ? t("project.database.none") : t("project.database.changed", { count: changed })}
        </p>
      ) : (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls. */}
          <section tabIndex={0} aria-label={t("project.database.result")} className="max-h-[480px] overflow-auto">
            <table className="w-full border-collapse font-mono text-[0.8125rem]">
              <thead className="sticky top-0 bg-sunken text-left">
                <tr>
                  {columns.map((column) => (
                    <th key={column} scope="col" className="px-4 py-2 font-[600] whitespace-nowrap first:pl-5">
                      {column}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody className="divide-y divide-line">
                {rows.map((row, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity of their own.
                  <tr key={index}>
                    {row.map((value, at) => (
                      <td
                        key={columns[at]}
                        className="max-w-[40ch] truncate px-4 py-2 align-top first:pl-5"
                        title={value ?? "NULL"}
                      >
                        {value ?? <span className="text-ink-3 italic">NULL</span>}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
          {hasMore && !isPage && (
            <p className="border-t border-line px-5 py-3 text-small text-ink-3">
              {t("project.database.cut", { count: rows.length })}
            </p>
          )}
        </>
      )}
    </div>
  );
}
