import { useEffect } from 'react'
import { useTexts } from '../language/language.ts'

/** What is printed on every page, apart from the number of the page. */
interface PageMargins {
  headLeft: string
  headRight: string
  footLeft: string
  /** Charts and wide tables. */
  isLandscape?: boolean
}

/** A CSS string. */
function quote(text: string): string {
  return `"${text.replaceAll(/["\\\p{Cc}]/gu, (character) => `\\${character.codePointAt(0)!.toString(16)} `)}"`
}

/** Whether the browser prints into the margins of pages. */
function hasMargins(): boolean {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('@page { @top-left { content: "" } }')
  const rule = sheet.cssRules[0] as (CSSPageRule & { cssRules?: CSSRuleList }) | undefined
  return (rule?.cssRules?.length ?? 0) > 0
}

/**
 * Prints a head and a foot on every page, with the number of the page. Returns false where the browser has no such margins:
 * the page then prints its own head once.
 */
export function usePageMargins(printed: PageMargins): boolean {
  const t = useTexts('reports')
  const { headLeft, headRight, footLeft, isLandscape = false } = printed
  // Swedish and English have the same order.
  const [page, of] = [t('printed.page'), t('printed.of')]
  useEffect(() => {
    const sheet = new CSSStyleSheet()
    const box = 'font: 8pt/1.3 system-ui, sans-serif; color: #586366;'
    sheet.replaceSync(`@page {
      size: A4 ${isLandscape ? 'landscape' : 'portrait'};
      margin: 22mm 15mm 20mm;
      @top-left { ${box} content: ${quote(headLeft)}; }
      @top-right { ${box} content: ${quote(headRight)}; text-align: right; }
      @bottom-left { ${box} content: ${quote(footLeft)}; }
      @bottom-right { ${box} content: ${quote(`${page} `)} counter(page) ${quote(` ${of} `)} counter(pages); text-align: right; }
    }`)
    document.adoptedStyleSheets.push(sheet)
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet)
    }
  }, [headLeft, headRight, footLeft, isLandscape, page, of])
  return hasMargins()
}
