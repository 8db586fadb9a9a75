// The policy of the page lets nothing become a script but what this names.
const policy = globalThis.trustedTypes?.createPolicy('fairlead', {
  createScriptURL: (url) => {
    if (url !== '/page/feed.js') {
      throw new TypeError(`${url} is no script of this page`);
    }
    return url;
  },
});

export function scriptUrl(url) {
  return policy ? policy.createScriptURL(url) : url;
}
