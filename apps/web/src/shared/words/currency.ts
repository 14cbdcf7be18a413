// ISO 4217 as the enclave has it (`crates/vault/src/pay/currency.rs`), which alone decides what is signed. No list of a browser's: `Intl` has
// currencies that nobody pays in any more, lacks new ones, and rounds some as people do: it gives IQD none of its three digits.
const LISTS: readonly (readonly [digits: number, codes: string])[] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [
    2,
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY ' +
      'COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS ' +
      'INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR ' +
      'MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP ' +
      'STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG',
  ],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
]

/** How many digits of each currency's amount stand after the point, by its code. */
export const CURRENCIES: ReadonlyMap<string, number> = new Map(
  LISTS.flatMap(([digits, codes]) => codes.split(' ').map((code) => [code, digits] as const)),
)

/** How many digits of a currency's amount stand after the point: 2 for GBP, 0 for JPY, 3 for KWD; 2 for what is none. */
export function minorDigits(currency: string): number {
  return CURRENCIES.get(currency) ?? 2
}

/** Whether a text is the code of a currency that the vault signs payments in: three capital letters. */
export function isCurrency(code: string): boolean {
  return CURRENCIES.has(code)
}
