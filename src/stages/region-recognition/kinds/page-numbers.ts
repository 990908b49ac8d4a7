const alone =
  /^(?:[-–—[(|•]\s*)?(?:(?:page|seite|p\.|pág\.?|pagina|стр\.?|第)\s*)?(?:[A-Z]{0,2}[-–.]?\d{1,4}|[ivxlc]{1,6})(?:\s*(?:of|von|de|di|van|sur|\/|из)\s*\d{1,4})?(?:\s*[页頁ページ]{1,3})?(?:\s*[-–—\])|•])?$/iu

/** Whether a text is nothing but a page number, in one of its usual dresses. */
export const isPageNumber = (text: string): boolean => text.length <= 24 && alone.test(text.trim())
