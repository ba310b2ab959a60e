import { nice, ticks } from "d3-array";
import { useTranslation } from "react-i18next";

interface Props {
  title: string;
  /** the sum of all points, or what else sums them up */
  total: string;
  points: { at: string; value: number }[];
  format(value: number): string;
  formatAt(at: string): string;
}

const gridLines = 3;

/** Bars over time, with the same numbers as a table behind them. Plain elements: text stays text. */
export function BarChart({ title, total, points, format, formatAt }: Props) {
  const { t } = useTranslation();
  const max = Math.max(...points.map(({ value }) => value));
  const [, top] = nice(0, max || 1, gridLines);
  const lines = max > 0 ? ticks(0, top, gridLines) : [0];
  const [first, last] = [points[0], points.at(-1)];
  return (
    <figure>
      <figcaption className="mb-3 flex items-baseline justify-between gap-3">
        <span className="text-small text-ink-2">{title}</span>
        <span className="text-[1.1875rem] font-[640]">{total}</span>
      </figcaption>
      <div role="img" aria-label={`${title}: ${total}`} className="relative h-[120px]">
        {lines.map((line) => (
          <div
            key={line}
            className="absolute inset-x-0 border-t border-line text-[0.6875rem] leading-none text-ink-3"
            style={{ bottom: `${(line / top) * 100}%` }}
          >
            {line > 0 && <span className="bg-surface pr-1">{format(line)}</span>}
          </div>
        ))}
        {max === 0 && (
          <p className="absolute inset-0 grid place-content-center text-small text-ink-3">{t("common.noData")}</p>
        )}
        <div className="absolute inset-0 flex items-end gap-[2px] pl-9">
          {points.map(({ at, value }) => (
            <div key={at} title={`${formatAt(at)}: ${format(value)}`} className="flex h-full flex-1 items-end">
              <div
                className="w-full rounded-t-[3px] bg-blue"
                style={{ height: `${(value / top) * 100}%`, minHeight: value > 0 ? 2 : 0 }}
              />
            </div>
          ))}
        </div>
      </div>
      <div className="mt-1.5 flex justify-between pl-9 text-[0.75rem] text-ink-3">
        <span>{first && formatAt(first.at)}</span>
        <span>{last && formatAt(last.at)}</span>
      </div>
      <details className="mt-2 text-small">
        <summary className="cursor-pointer text-ink-3 hover:text-ink">{t("common.asTable")}</summary>
        <div className="mt-2 max-h-[220px] overflow-y-auto">
          <table className="w-full">
            <caption className="sr-only">{title}</caption>
            <tbody className="divide-y divide-line">
              {points.toReversed().map(({ at, value }) => (
                <tr key={at}>
                  <th scope="row" className="py-1 text-left font-normal text-ink-2">
                    {formatAt(at)}
                  </th>
                  <td className="py-1 text-right">{format(value)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}
