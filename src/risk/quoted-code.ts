/** A subscript with code in it, which bash runs although the word is quoted: `[[ -v 'a[$(id)]' ]]`. */
export const QUOTED_CODE = /\w\[[^\]]*(?:\$\(|`)/;
