/** The public configuration of the profile with that name. */
export const PUBLIC_CONFIG: object = {
  apiUrl: 'https://api.example/',
  label: '</script><!-- \u2028 å',
  flags: { newCart: true, none: null, sizes: [1, 2.5] },
};

/** The element as a page has it, in ASCII. */
export const PUBLIC_CONFIG_ELEMENT =
  '<script type="application/json" id="ng-ssr-config">{"apiUrl":"https://api.example/",' +
  '"label":"\\u003c/script\\u003e\\u003c!-- \\u2028 \\u00e5",' +
  '"flags":{"newCart":true,"none":null,"sizes":[1,2.5]}}</script>';
