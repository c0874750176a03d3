// Names that do nothing but count, compare, take apart and print. Data; a name that is missing makes code unprovable.

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Modules whose members listed below are harmless; what touches files in them is allowed with literals only. */
export const PYTHON_MODULES = words(`
  sys os math cmath json re datetime time random statistics string itertools functools collections decimal fractions textwrap platform
  calendar uuid hashlib hmac base64 binascii struct heapq bisect copy pprint unicodedata csv io shlex typing dataclasses
  enum secrets zlib html urllib locale numbers array keyword token difflib ipaddress colorsys zoneinfo graphlib shutil sqlite3
  numpy pandas requests httpx flask django torch tensorflow yaml pytest scipy sklearn matplotlib PIL bs4 lxml pydantic sqlalchemy
  fastapi transformers attr attrs click rich tqdm toml tomllib packaging setuptools pip six cryptography jinja2 werkzeug celery
  redis boto3 openai anthropic langchain uvicorn starlette aiohttp websockets markdown polars pyarrow networkx sympy seaborn plotly
`);

export const PYTHON_NAMES = words(`
  import from as for in if else elif while def return lambda and or not is None True False with try except finally pass break continue
  assert raise yield print len range sum min max sorted reversed enumerate zip map filter list dict set tuple str int float bool bytes
  bytearray abs round any all chr ord hex oct bin divmod pow repr format isinstance issubclass iter next slice hash complex frozenset
  Exception ValueError KeyError TypeError IndexError ImportError ZeroDivisionError AssertionError exit quit f r b rb br u fr rf
  __name__ __file__ end sep file indent sort_keys default key reverse start step exist_ok parents encoding errors newline
  ignore_errors timeout params headers ensure_ascii
`);

export const SCRIPT_NAMES = words(`
  const let var function return if else for of in while do break continue new typeof instanceof null undefined true false void async await
  try catch finally throw switch case default console JSON Math Date Number String Boolean Array Object
  Map Set Promise Symbol BigInt RegExp Error TypeError RangeError Intl URL URLSearchParams parseInt parseFloat isNaN isFinite
  encodeURIComponent decodeURIComponent encodeURI decodeURI Buffer setTimeout TextEncoder TextDecoder structuredClone Infinity NaN
  performance crypto fs path os util recursive force encoding
`);

/** Members that are harmless on whatever has them. */
export const HARMLESS_MEMBERS = words(`
  version version_info __version__ get_version major minor micro patch name names stdout stdin stderr write read readline readlines readAll close flush
  split rsplit splitlines partition join strip lstrip rstrip trim trimStart trimEnd lower upper title capitalize swapcase casefold
  toLowerCase toUpperCase startswith endswith startsWith endsWith includes format zfill ljust rjust center padStart padEnd repeat
  isdigit isalpha isalnum isspace isnumeric encode decode toString toFixed valueOf index indexOf lastIndexOf count find findIndex
  keys values items entries get has setdefault append extend insert pop push shift unshift slice splice concat sort reverse update add
  discard union intersection difference copy clear fromkeys fromEntries from isArray of map filter reduce forEach some every flat flatMap
  fill at length size then finally json text status status_code statusText ok headers body log error info warn debug table dir time
  timeEnd stringify parse dumps dump pi e tau inf nan sqrt floor ceil trunc log2 log10 exp sin cos tan asin acos atan
  atan2 hypot pow abs min max round random factorial gcd lcm comb perm isclose fsum prod degrees radians
  sub subn match search findall finditer fullmatch group groups groupdict start end span compile escape replaceAll test source flags
  now today utcnow isoformat strftime strptime date datetime timedelta timezone utc timestamp fromtimestamp total_seconds days seconds
  year month day hour minute second weekday isoweekday toISOString getTime getFullYear getMonth getDate toLocaleString toLocaleDateString
  perf_counter monotonic process_time sleep time_ns ctime localtime gmtime
  randint choice choices shuffle sample seed uniform gauss randrange mean median mode stdev variance pstdev quantiles
  Counter defaultdict OrderedDict namedtuple deque ChainMap most_common elements chain product permutations combinations islice
  cycle count accumulate groupby zip_longest starmap takewhile dropwhile lru_cache partial wraps cmp_to_key
  hexdigest digest md5 sha1 sha256 sha512 blake2b sha224 sha384 new createHash randomBytes randomUUID b64encode b64decode b32encode
  urlsafe_b64encode urlsafe_b64decode hexlify unhexlify hex uuid1 uuid4 uuid5 token_hex token_urlsafe token_bytes pack unpack calcsize
  ascii_letters ascii_lowercase ascii_uppercase digits punctuation printable Decimal Fraction dedent fill indent wrap shorten pprint
  pformat reader writer DictReader DictWriter writerow writerows writeheader StringIO BytesIO getvalue quote unquote urlencode parse_qs
  urlparse urlsplit urljoin netloc hostname scheme port path query fragment href origin searchParams pathname
  basename dirname extname resolve relative normalize isAbsolute sep delimiter
  array zeros ones arange linspace shape dtype reshape dot sum std var T astype tolist head tail describe columns info iloc loc
  isnull notnull dropna fillna groupby value_counts unique nunique mean corr item
  cuda is_available device_count backends fetchall fetchone fetchmany
  platform arch cpus totalmem freemem hostname release type EOL uptime loadavg inspect promisify
  code message stack cause next done value args real imag numerator denominator bit_length to_bytes from_bytes fromhex
  assign freeze is charCodeAt charAt codePointAt fromCharCode localeCompare normalize
  nlargest nsmallest heappush heappop heapify bisect_left bisect_right insort deepcopy
  versions node v8 alloc byteLength
`);

/** Of languages that few use here. */
export const GENERIC = words(`
  print println puts p pp echo display cat write writeLines format printf say put newline IO inspect sum max min length size join map
  each do end if then else true false nil null let in for begin displayln string int float list range rev sort upcase downcase
  reverse even odd zero to_s to_i to_f abs sqrt pi e x y i n a b s RUBY_VERSION PHP_VERSION phpversion _VERSION version R mean median
  seq paste c nchar toupper tolower Enum String strlen strtoupper strtolower count array json_encode date time io math floor ceil
  random table concat ipairs pairs defn fn str inc dec disp num2str ones zeros rand local return function upto times first last
  gsub sub match tr split chars lines select reject inject reduce zip with_index each_with_index to_a
  ARGF STDIN gets chomp strip _ unless
`);
