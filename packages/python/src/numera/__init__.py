"""Pushes numbers to Numera and reads them back, exact."""

from ._async_client import AsyncNumera as AsyncNumera
from ._answers import (
    CheckReport as CheckReport,
    Company as Company,
    DeclaredSource as DeclaredSource,
    DeliveryPage as DeliveryPage,
    DeliveryReport as DeliveryReport,
    Field as Field,
    PartReceipt as PartReceipt,
    Receipt as Receipt,
    Refusal as Refusal,
    Sample as Sample,
    Source as Source,
    Trace as Trace,
    TracedDelivery as TracedDelivery,
)
from ._client import Numera as Numera
from ._credentials import AsyncTokenProvider as AsyncTokenProvider, TokenProvider as TokenProvider
from ._deliveries import AsyncDelivery as AsyncDelivery, Delivery as Delivery
from ._rows import (
    DELIVERY_BYTES_MAX as DELIVERY_BYTES_MAX,
    InvalidRow as InvalidRow,
    Row as Row,
    Rows as Rows,
    Value as Value,
)
from ._rules.decimals import EXACT as EXACT, exact_float as exact_float
from ._rules.key import (
    KEY_CHARACTERS_MAX as KEY_CHARACTERS_MAX,
    InvalidKey as InvalidKey,
    KeyPart as KeyPart,
    key_for as key_for,
)
from ._rules.records import BrokenFile as BrokenFile
from ._rules.sign import (
    SignatureFault as SignatureFault,
    is_delivery_id as is_delivery_id,
    sign_delivery as sign_delivery,
    verify_delivery as verify_delivery,
)
from ._samples import AsyncSamples as AsyncSamples, Samples as Samples
from ._transport import Clock as Clock
from ._webhooks import send_webhook as send_webhook
from .errors import (
    Conflict as Conflict,
    CredentialInUrl as CredentialInUrl,
    CredentialRefused as CredentialRefused,
    DocsOriginNeedsSandbox as DocsOriginNeedsSandbox,
    Internal as Internal,
    InvalidArgument as InvalidArgument,
    KeyReused as KeyReused,
    MethodNotAllowed as MethodNotAllowed,
    NotFound as NotFound,
    NotParsedYet as NotParsedYet,
    NumeraError as NumeraError,
    PermissionDenied as PermissionDenied,
    RateLimited as RateLimited,
    SignInAgain as SignInAgain,
    SourcePaused as SourcePaused,
    TooLarge as TooLarge,
    Unreachable as Unreachable,
    UnreadableDelivery as UnreadableDelivery,
    UnsupportedMediaType as UnsupportedMediaType,
    WebhookOnly as WebhookOnly,
)
