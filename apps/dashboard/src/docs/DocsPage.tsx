import type { Language } from "@nido/contract";
import type { ReactNode } from "react";
import { paths } from "../paths.ts";
import { Logo } from "../ui/Logo.tsx";
import type { DocPage } from "./DocPage.ts";
import { docTexts } from "./texts.ts";

interface Props {
  lang: Language;
  brand: string;
  pages: DocPage[];
  /** undefined: no page has this address */
  page: DocPage | undefined;
  /** The parts that work only in a browser. The build leaves them out, and keeps their place. */
  search?: ReactNode;
  theme?: ReactNode;
  /** shown instead of the page */
  found?: ReactNode;
}

export const docTitle = "mb-4 text-[1.5rem] leading-[1.2] font-[680] tracking-[-0.022em] sm:text-title";

/** A page of the documentation in its frame. Its links are plain: it is also rendered at build time. */
export function DocsPage({ lang, brand, pages, page, search, theme, found }: Props) {
  const t = docTexts[lang];
  const other = lang === "es" ? "en" : "es";
  return (
    <div className="mx-auto max-w-[1276px]">
      <a
        href="#content"
        className="fixed top-2 left-2 z-20 -translate-y-20 rounded-control bg-ink px-4 py-2 text-background focus:translate-y-0"
      >
        {t.skip}
      </a>
      <header className="flex h-[58px] items-center justify-between gap-3 px-[18px] sm:h-20 sm:px-12">
        <a href={paths.projects} aria-label={t.home(brand)}>
          <Logo brand={brand} />
        </a>
        <div className="flex items-center gap-1">
          <a href={paths.projects} className={`${headerLink} hidden sm:flex`}>
            {t.panel}
          </a>
          <a href={paths.doc(other, page?.slug)} hrefLang={other} lang={other} className={`${headerLink} flex`}>
            {t.other}
          </a>
          <div className="size-10">{theme}</div>
        </div>
      </header>
      <div className="grid gap-x-12 px-[18px] pb-16 sm:px-12 lg:grid-cols-[216px_minmax(0,1fr)] xl:grid-cols-[216px_minmax(0,1fr)_190px]">
        <aside className="mb-6 lg:sticky lg:top-0 lg:mb-0 lg:max-h-dvh lg:self-start lg:overflow-y-auto lg:py-7">
          <div className="h-10">{search}</div>
          <details className="group mt-4 lg:hidden">
            <summary className="cursor-pointer text-small font-[600]">{t.contents}</summary>
            <Contents lang={lang} pages={pages} page={page} />
          </details>
          <div className="mt-4 hidden lg:block">
            <Contents lang={lang} pages={pages} page={page} />
          </div>
        </aside>
        <main id="content" tabIndex={-1} className="min-w-0 outline-none lg:py-7">
          {found ?? (page ? <Article lang={lang} pages={pages} page={page} /> : <Missing lang={lang} />)}
        </main>
        {page && !found && <OnThisPage title={t.onThisPage} page={page} />}
      </div>
    </div>
  );
}

const headerLink = "h-10 items-center rounded-control px-3 text-ink-2 hover:bg-sunken hover:text-ink";

function Contents({ lang, pages, page }: Pick<Props, "lang" | "pages" | "page">) {
  return (
    <nav aria-label={docTexts[lang].contents}>
      <ul className="space-y-0.5 py-2">
        {pages.map(({ slug, title }) => {
          const isCurrent = slug === page?.slug;
          return (
            <li key={slug}>
              <a
                href={paths.doc(lang, slug)}
                aria-current={isCurrent ? "page" : undefined}
                className={`block rounded-control px-3 py-1.5 ${
                  isCurrent ? "bg-sunken font-[560]" : "text-ink-2 hover:bg-sunken hover:text-ink"
                }`}
              >
                {title}
              </a>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

function Article({ lang, pages, page }: { lang: Language; pages: DocPage[]; page: DocPage }) {
  const t = docTexts[lang];
  const index = pages.indexOf(page);
  const [previous, next] = [pages[index - 1], pages[index + 1]];
  return (
    <>
      <article className="doc max-w-[72ch]">
        <h1 className={docTitle}>{page.title}</h1>
        {/* Our own Markdown, made into HTML by the build. */}
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: it contains nothing that a customer or visitor wrote */}
        <div dangerouslySetInnerHTML={{ __html: page.html }} />
      </article>
      <div className="mt-12 flex max-w-[72ch] flex-wrap justify-between gap-4 border-t border-line pt-5">
        {previous && <Neighbour label={t.previous} to={paths.doc(lang, previous.slug)} title={previous.title} />}
        {next && <Neighbour label={t.next} to={paths.doc(lang, next.slug)} title={next.title} isLast />}
      </div>
    </>
  );
}

function Neighbour({ label, to, title, isLast }: { label: string; to: string; title: string; isLast?: boolean }) {
  return (
    <a href={to} className={`group ${isLast ? "ml-auto text-right" : ""}`}>
      <span className="block text-small text-ink-3">{label}</span>
      <span className="font-[560] group-hover:underline">{title}</span>
    </a>
  );
}

function OnThisPage({ title, page }: { title: string; page: DocPage }) {
  return (
    <nav
      aria-label={title}
      className="sticky top-0 hidden max-h-dvh self-start overflow-y-auto py-9 text-small xl:block"
    >
      <p className="mb-2 font-[600]">{title}</p>
      <ul className="space-y-1.5">
        {page.sections.slice(1).map((section) => (
          <li key={section.id}>
            <a href={`#${section.id}`} className="text-ink-2 hover:text-ink hover:underline">
              {section.title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Missing({ lang }: { lang: Language }) {
  return (
    <>
      <h1 className={docTitle}>{docTexts[lang].missing}</h1>
      <p className="text-ink-2">{docTexts[lang].missingText}</p>
    </>
  );
}
