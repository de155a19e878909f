const field = (name: string, label: string, hint: string, input: string): string => `
    <div class="field">
      <label for="checker-${name}">${label}</label>
      ${input.replace(/^<(\w+)/, `<$1 id="checker-${name}" name="${name}" aria-describedby="checker-${name}-hint"`)}
      <p class="small" id="checker-${name}-hint">${hint}</p>
    </div>`

const oneLine =
  '<input type="text" autocomplete="off" autocapitalize="off" spellcheck="false" class="input mono" />'

/**
 * The form of the signature checker; its script is `client/signature-checker.ts`. It has no action, and the content policy
 * blocks sending, so the secret stays in the page.
 */
export const signatureChecker = `<form class="checker card" data-signature-checker aria-label="Check a signature">
  <noscript><p class="small">The checker needs JavaScript.</p></noscript>
  <fieldset disabled>
${[
  field('secret', 'Signing secret', 'Including <code>nws_</code>.', oneLine),
  field('delivery-id', '<code>Service-Delivery-Id</code>', 'As it was sent.', oneLine),
  field('signature', '<code>Service-Signature</code>', 'As it was sent: <code>t=…,v1=…</code>', oneLine),
  field(
    'body',
    'Body',
    'Every byte counts. Lines in this field end with LF. If your body has other line endings, use a file.',
    '<textarea rows="5" autocomplete="off" autocapitalize="off" spellcheck="false" class="input mono"></textarea>',
  ),
  field(
    'file',
    'Or the body as a file',
    'Used instead of the body above.',
    '<input type="file" class="input" />',
  ),
].join('')}
    <button type="submit" class="button primary">Check</button>
  </fieldset>
  <div role="status" class="outcome"></div>
</form>
`
