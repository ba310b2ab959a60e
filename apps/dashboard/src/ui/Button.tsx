import type { ComponentProps } from "react";
import { Link, type LinkProps } from "react-router";
import { Spinner } from "./Spinner.tsx";

type Look = "primary" | "plain" | "danger";
interface Shape {
  look?: Look;
  size?: "normal" | "small";
}

const base =
  "inline-flex items-center justify-center gap-2 rounded-control font-[600] whitespace-nowrap transition-colors duration-150 " +
  "disabled:opacity-50 disabled:cursor-not-allowed aria-disabled:opacity-50 select-none";
const sizes = { normal: "h-10 px-4 text-body", small: "h-[34px] px-3 text-small" };
const looks: Record<Look, string> = {
  primary: "bg-ink text-background hover:not-disabled:bg-ink/85",
  plain: "bg-surface text-ink border border-line-strong hover:not-disabled:bg-sunken",
  danger: "bg-surface text-red border border-line-strong hover:not-disabled:bg-red-soft",
};

function classes({ look = "plain", size = "normal" }: Shape, extra = "") {
  return `${base} ${sizes[size]} ${looks[look]} ${extra}`;
}

/** A button. While busy it shows a spinner and ignores clicks; it is not disabled then, which would lose the focus. */
export function Button({
  look,
  size,
  busy = false,
  className,
  children,
  ...rest
}: ComponentProps<"button"> & Shape & { busy?: boolean }) {
  return (
    <button
      type="button"
      {...rest}
      onClick={busy ? (event) => event.preventDefault() : rest.onClick}
      disabled={rest.disabled && !busy}
      aria-disabled={busy || undefined}
      aria-busy={busy}
      className={classes({ look, size }, className)}
    >
      {busy && <Spinner />}
      {children}
    </button>
  );
}

export function ButtonLink({ look, size, className, ...rest }: LinkProps & Shape & { className?: string }) {
  return <Link {...rest} className={classes({ look, size }, className)} />;
}

/** A link to an address outside the dashboard's routes, which the browser loads as a new page. */
export function ButtonAnchor({ look, size, className, children, ...rest }: ComponentProps<"a"> & Shape) {
  return (
    <a {...rest} className={classes({ look, size }, className)}>
      {children}
    </a>
  );
}
