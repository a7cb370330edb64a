"""HTML that wants to run code, load things or take over names: written for the sanitiser's tests, by classes of attack.

Vectors are strings with marks that `vectors` fills in: %X% is the call that tells of an execution, %T% the same from a
frame of this origin, %M% from a frame of any, %U% an address of ours. What stands in %E[…]%, %H[…]%, %Q[…]% and %B[…]% is
then written as decimal references, as hexadecimal ones without semicolons, percent-encoded, and in base64.
"""

import base64
import random
import re
from urllib.parse import quote

SCRIPTS = [
    "<script>%X%</script>", "<SCRIPT>%X%</SCRIPT>", "<ScRiPt >%X%</ScRiPt >", "<script\n>%X%</script\n>", "<script/x>%X%</script>",
    "<script src=%U%/a.js></script>", "<script src='data:text/javascript,%Q[%X%]%'></script>", "<script type=module>%X%</script>",
    "<script type=text/javascript async defer nonce=x>%X%</script>", "<script><!--\n%X%\n//--></script>", "<script>%X%",
    "<script\0>%X%</script>", "<scr\0ipt>%X%</script>", "<<script>%X%//<</script>", "<scr<script>ipt>%X%</scr</script>ipt>",
    "<script x='>'>%X%</script>", "<script><![CDATA[\n%X%\n]]></script>", "</script><script>%X%</script>", "<script>/*</script>*/%X%</script>",
    "<script src=data:,%Q[%X%]%></script>", "<script>`</script><script>`;%X%</script>", "<script src='//127.0.0.1/x' onerror=%X%></script>",
    "<script type=importmap>{}</script><script type=module>%X%</script>", "<script src=x onerror=%X%></script>", "<noscript><script>%X%</script></noscript>",
]

EVENTS = [
    "<img src=x onerror=%X%>", "<img src=x onerror='%X%'>", '<img src=x onerror="%X%">', "<img src=x onerror=`%X%`>", "<img/src=x/onerror=%X%>",
    "<img\tsrc=x\tonerror=%X%>", "<img\nsrc=x\nonerror=%X%>", "<img\fsrc=x\fonerror=%X%>", "<img\rsrc=x\ronerror=%X%>", "<IMG SRC=x ONERROR=%X%>",
    "<img src=x onerror\n=\n%X%>", "<img src=x onerror=%E[%X%]%>", "<img src=x onerror=%H[%X%]% >", "<img src='x'onerror=%X%>", "<img src=x:x onerror=%X%>",
    "<img src=\"x\"\"onerror=%X%>", "<img src=x onerror=%X%//", "<img src=x onerror=%X% <p>", "<img src onerror /'\"/=%X%>", "<img src=x alt='`><img onerror=%X% src=x>'>",
    "<img src=x alt=``onerror=%X%>", "<img src=1 id=a onerror=%X% onerror=0>", "<img srcset=x onerror=%X%>", "<image src=x onerror=%X%>", "<img src=x onload=0 onerror='with(document)%X%'>",
    "<img src=data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA= onload=%X%>", "<img src=x style=x onerror\0=%X%>", "<img \0src=x \0onerror=%X%>",
    "<picture><source srcset=x><img onerror=%X%></picture>", "<video src=x onerror=%X%></video>", "<video><source src=x onerror=%X%></video>",
    "<audio src=x onerror=%X%></audio>", "<audio><source onerror=%X% src=x></audio>", "<video poster=javascript:%X%></video>", "<video onloadstart=%X% src=x>",
    "<audio autoplay onloadstart=%X% src=x>", "<details open ontoggle=%X%>", "<details ontoggle=%X%><summary>s</summary>t</details>", "<body onload=%X%>",
    "<body onpageshow=%X%>", "<body onfocus=%X%>", "<body onresize=%X%><body onhashchange=%X%>", "<html onclick=%X%>", "<frameset onload=%X%>", "<iframe onload=%X%></iframe>",
    "<iframe src=about:blank onload=%X%>", "<input autofocus onfocus=%X%>", "<input onfocus=%X% autofocus>", "<textarea autofocus onfocus=%X%></textarea>", "<select autofocus onfocus=%X%><option>x</select>",
    "<button autofocus onfocus=%X%>x</button>", "<keygen autofocus onfocus=%X%>", "<a href=# autofocus onfocus=%X%>x</a>", "<div tabindex=1 autofocus onfocus=%X%>x</div>", "<p contenteditable onfocus=%X% autofocus>x",
    "<p onclick=%X%>x</p>", "<p onmouseover=%X%>x</p>", "<p onmouseenter=%X%>x</p>", "<p onpointerover=%X%>x</p>", "<p onpointerdown=%X%>x", "<p onwheel=%X%>x", "<p ontouchstart=%X%>x", "<p oncontextmenu=%X%>x",
    "<p onkeydown=%X% tabindex=0>x", "<p oncopy=%X%>x", "<p ondragstart=%X% draggable=true>x", "<p onbeforetoggle=%X% popover id=p>x</p><button popovertarget=p>y</button>", "<p onscroll=%X%>x", "<p onanimationstart=%X% style='animation:x 1s'>x",
    "<style>@keyframes x{}</style><p style='animation-name:x' onanimationstart=%X%>x", "<p style='transition:color 1s' ontransitionend=%X%>x", "<p onauxclick=%X%>x", "<marquee onstart=%X%>x</marquee>", "<marquee behavior=alternate onbounce=%X% loop=1>x</marquee>",
    "<bgsound onload=%X% src=x>", "<object onerror=%X% data=x></object>", "<embed onload=%X% src=x>", "<link rel=stylesheet href=x onerror=%X%>", "<style onload=%X%></style>", "<svg onload=%X%>", "<svg/onload=%X%>", "<math onclick=%X%>x</math>", "<p onx=%X% onclick=%X%>x</p>",
    "<form oninput=%X%><input></form>", "<form onsubmit=%X%><button>x</button></form>", "<dialog open onclose=%X%>x</dialog>", "<dialog open oncancel=%X%>x", "<canvas onclick=%X%>x</canvas>", "<output onclick=%X%>x</output>", "<label onclick=%X%>x</label>",
    "<custom-element onclick=%X%>x</custom-element>", "<x onclick=%X%>x", "<x tabindex=1 onfocusin=%X% autofocus>x", "<p oncontentvisibilityautostatechange=%X% style='content-visibility:auto'>x", "<p onscrollend=%X% onscrollsnapchange=%X%>x",
    "<table onclick=%X%><td onclick=%X%>x", "<a onclick=%X%>x</a>", "<a href=javascript: onclick=%X%>x</a>", "<del onclick=%X% cite=x>x</del>", "<time onclick=%X% datetime=x>x</time>", "<ruby onclick=%X%>x<rt onclick=%X%>y</ruby>", "<col onclick=%X%><hr onclick=%X%>",
]

ADDRESSES = [
    "<a href=javascript:%X%>x</a>", "<a href='JaVaScRiPt:%X%'>x</a>", "<a href=' javascript:%X%'>x</a>", "<a href='\tjavascript:%X%'>x</a>", "<a href='\njavascript:%X%'>x</a>", "<a href='\x01javascript:%X%'>x</a>",
    "<a href='\x1f\x0b javascript:%X%'>x</a>", "<a href='java\tscript:%X%'>x</a>", "<a href='java\nscript:%X%'>x</a>", "<a href='java\r\nscript:%X%'>x</a>", "<a href='javascript\t:%X%'>x</a>", "<a href='jav&#x09;ascript:%X%'>x</a>",
    "<a href='jav&#10;ascript:%X%'>x</a>", "<a href='jav&Tab;ascript:%X%'>x</a>", "<a href='jav&NewLine;ascript:%X%'>x</a>", "<a href='javascript&colon;%X%'>x</a>", "<a href='javascript&#58;%X%'>x</a>", "<a href='javascript&#x0003A%X%'>x</a>",
    "<a href='%E[javascript:%X%]%'>x</a>", "<a href='%H[javascript:%X%]%'>x</a>", "<a href='&#106avascript:%X%'>x</a>", "<a href='javascript:%Q[%X%]%'>x</a>", "<a href='javascript://%0a%X%'>x</a>", "<a href='javascript://%U%/%0d%0a%X%'>x</a>",
    "<a href='javascript:/*&#42;/%X%//'>x</a>", "<a href='javascript&#0;:%X%'>x</a>", "<a href='java\0script:%X%'>x</a>", "<a href='\0javascript:%X%'>x</a>", "<a href=\"javascript:'<script>%X%</script>'\">x</a>", "<a href='vbscript:%X%'>x</a>", "<a href='livescript:%X%'>x</a>",
    "<a href='data:text/html,<script>%M%</script>'>x</a>", "<a href='data:text/html;base64,%B[<script>%M%</script>]%'>x</a>", "<a href='DATA:text/html,x'>x</a>", "<a href='blob:%U%/x'>x</a>", "<a href='filesystem:%U%/temporary/x'>x</a>", "<a href='view-source:%U%'>x</a>", "<a href='file:///etc/passwd'>x</a>", "<a href='feed:javascript:%X%'>x</a>",
    "<a href='jar:javascript:%X%!/x'>x</a>", "<a href='intent://x#Intent;S.x=javascript:%X%;end'>x</a>", "<a href='chrome://settings'>x</a>", "<a href='about:blank#%X%'>x</a>", "<a href='//127.0.0.1:1/x' target=_blank rel=opener>x</a>", "<a href='%U%/p' ping='%U%/ping' target=_top>x</a>", "<a href='%U%/p' download=x.exe>x</a>",
    "<a href='%U%/p' attributionsrc='%U%/source'>x</a>", "<a href=x href=javascript:%X%>x</a>", "<a href=javascript:%X% href=x>x</a>", "<a HREF\n=\njavascript:%X%>x</a>", "<a href=`javascript:%X%`>x</a>", "<a\0href=javascript:%X%>x</a>", "<a href='javascript:%X%' target=_self><b>x</b></a>", "<a href='javascript:%X%' id=x><img src=x></a>",
    "<a href='java&#173;script:%X%'>x</a>", "<a href='\ufeffjavascript:%X%'>x</a>", "<a href='\u2028javascript:%X%'>x</a>", "<a href='\u00a0javascript:%X%'>x</a>", "<a href='ｊavascript:%X%'>x</a>", "<a href='javaſcript:%X%'>x</a>", "<a href='javascrİpt:%X%'>x</a>", "<a href='http:javascript:%X%'>x</a>", "<a href='mailto:javascript:%X%'>x</a>",
    "<a href='http://[<img src=x onerror=%X%>]/'>x</a>", "<a href='http://x\" onclick=\"%X%'>x</a>", "<a href='mailto:x\"onclick=%X%//'>x</a>", "<a href='https://a.invalid/`onclick=%X%'>x</a>", "<area href=javascript:%X%>", "<map name=m><area href=javascript:%X% shape=default></map><img usemap=#m src=x>", "<base href='javascript:/a/-'><a href=,%X%//>x</a>",
    "<base href=%U%/base/><a href=x>x</a><img src=y>", "<base target=_top><a href=x>x</a>", "<form action=javascript:%X%><button>x</button></form>", "<form><button formaction=javascript:%X%>x</button></form>", "<form id=f></form><button form=f formaction=javascript:%X%>x</button>", "<isindex action=javascript:%X% type=submit>",
    "<form><input type=image formaction=javascript:%X% src=x></form>", "<form action=%U%/post method=post><input name=a value=b><button>x</button></form>", "<input type=submit form=x formaction=%U%>", "<iframe src=javascript:%X%></iframe>", "<iframe src='javascript:%E[%T%]%'></iframe>", "<iframe srcdoc='<script>%T%</script>'></iframe>", "<iframe srcdoc='%E[<script>%T%</script>]%'></iframe>",
    "<iframe src='data:text/html,<script>%M%</script>'></iframe>", "<iframe src=%U%/frame></iframe>", "<iframe srcdoc='<img src=x onerror=%T%>' src=%U%/frame></iframe>", "<frameset><frame src=javascript:%X%></frameset>", "<object data=javascript:%X%></object>", "<object data='data:text/html,<script>%M%</script>'></object>", "<object type=text/html data='%U%/frame'></object>",
    "<object><param name=src value=javascript:%X%></object>", "<embed src=javascript:%X%>", "<embed src='data:text/html,<script>%M%</script>'>", "<embed src='%U%/x.swf' allowscriptaccess=always>", "<applet code=x codebase=%U%></applet>", "<portal src=javascript:%X%></portal>", "<fencedframe src=%U%></fencedframe>", "<meta http-equiv=refresh content='0;url=javascript:%X%'>",
    "<meta http-equiv=refresh content='0;url=data:text/html,<script>%M%</script>'>", "<meta http-equiv=refresh content='0;%U%/refresh'>", "<meta http-equiv=set-cookie content=a=b>", "<meta http-equiv=content-security-policy content=\"img-src 'none'\">", "<meta charset=utf-7>+ADw-script+AD4-%X%+ADw-/script+AD4-", "<meta name=referrer content=unsafe-url>", "<link rel=import href=%U%/x>",
    "<link rel=stylesheet href=%U%/x.css>", "<link rel=stylesheet href='data:text/css,*{background:red}'>", "<link rel=prefetch href=%U%/x><link rel=preconnect href=%U%>", "<link rel=manifest href=%U%/m><link rel=icon href=%U%/i>", "<link rel=preload as=script href=%U%/x><link rel=modulepreload href=%U%/m>", "<img src=javascript:%X%>", "<img src='vbscript:%X%'>", "<img lowsrc=javascript:%X% dynsrc=javascript:%X%>",
    "<img src='data:image/svg+xml,<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"%M%\"/>'>", "<img src='data:image/svg+xml;base64,%B[<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"%M%\"/>]%'>", "<img src='data:text/html,x'>", "<img srcset='javascript:%X% 1x, x 2x'>", "<img srcset='x 1x, data:text/html;base64,%B[x]% 2x'>", "<img srcset='x\" onerror=\"%X% 1x'>",
    "<img srcset=',,,x ,,, y 1x,javascript:%X%,'>", "<img srcset='x\x01,javascript:%X% 1x'>", "<img sizes='calc(1px + expression(%X%))' srcset='x 1w'>", "<picture><source srcset='javascript:%X%' media='(x)' type='\"><script>%X%</script>'><img></picture>", "<video src='javascript:%X%'><track src=javascript:%X% default></video>", "<audio src='data:audio/x,<script>%X%</script>' controls></audio>",
    "<body background=javascript:%X%>", "<table background=javascript:%X%><td background=javascript:%X%>", "<q cite=javascript:%X%>x</q><blockquote cite='java\tscript:%X%'>x</blockquote><ins cite=data:,x>", "<img longdesc=javascript:%X% usemap=#x ismap>", "<bgsound src=javascript:%X%>", "<input type=image src=javascript:%X%>", "<isindex prompt=x action=data:text/html,x>", "<html manifest=%U%/m>", "<svg><a href=javascript:%X%><text y=9>x</text></a></svg>",
]

FOREIGN = [
    "<svg><script>%X%</script></svg>", "<svg><script>%E[%X%]%</script></svg>", "<svg><script href='data:,%Q[%X%]%'/></svg>", "<svg><script xlink:href='data:,%Q[%X%]%'></script></svg>", "<svg><g onload=%X%></g></svg>", "<svg><image href=x onerror=%X%></svg>", "<svg><image xlink:href=x onerror=%X%></svg>",
    "<svg><a xlink:href=javascript:%X%><text y=9>x</text></a></svg>", "<svg><a><animate attributeName=href values=javascript:%X% /><text y=9>x</text></a></svg>", "<svg><a id=y><text y=9>x</text></a><set href=#y attributeName=href to=javascript:%X% /></svg>", "<svg><animate onbegin=%X% attributeName=x dur=1s>", "<svg><animate attributeName=x onend=%X% dur=1ms></svg>",
    "<svg><set onbegin=%X% attributeName=x></set></svg>", "<svg><animateTransform onbegin=%X% attributeName=transform></svg>", "<svg><animateMotion onbegin=%X% /></svg>", "<svg><set attributeName=onmouseover to=%X% />", "<svg><use href='data:image/svg+xml,<svg id=x xmlns=\"http://www.w3.org/2000/svg\"><script>%X%</script></svg>#x'/></svg>", "<svg><use xlink:href=%U%/x.svg#x /></svg>",
    "<svg><foreignObject><img src=x onerror=%X%></foreignObject></svg>", "<svg><foreignObject><iframe srcdoc='<script>%T%</script>'></foreignObject></svg>", "<svg><desc><img src=x onerror=%X%></desc></svg>", "<svg><title><img src=x onerror=%X%></title></svg>", "<svg><style><img src=x onerror=%X%></style></svg>", "<svg><style>@import '%U%/x.css';</style></svg>", "<svg><style>*{background:url(%U%/css)}</style><rect/></svg>",
    "<svg><handler type=text/javascript>%X%</handler></svg>", "<svg><discard onbegin=%X% /></svg>", "<svg xmlns:x='http://www.w3.org/1999/xlink'><a x:href=javascript:%X%>x</a></svg>", "<svg><p><script>%X%</script></p></svg>", "<svg><x><script>%X%</script></x></svg>", "<svg><![CDATA[<img src=x onerror=%X%>]]></svg>", "<svg><![CDATA[><img src=x onerror=%X%>]]>", "<svg><feImage href=%U%/x /></svg>", "<svg><metadata><img src=x onerror=%X%></metadata></svg>",
    "<math><maction actiontype='statusline#javascript:%X%'>x</maction></math>", "<math href=javascript:%X%>x</math>", "<math><mi href=javascript:%X%>x</mi></math>", "<math><mi xlink:href=javascript:%X%>x</mi></math>", "<math><annotation-xml encoding=text/html><img src=x onerror=%X%></annotation-xml></math>", "<math><annotation-xml encoding=application/xhtml+xml><script>%X%</script></annotation-xml></math>", "<math><annotation-xml><svg><script>%X%</script></svg></annotation-xml></math>",
    "<math><mtext><script>%X%</script></mtext></math>", "<math><mi><img src=x onerror=%X%></mi></math>", "<math><semantics><annotation-xml encoding='TeXt/hTmL'><script>%X%</script></semantics></math>", "<math><script>%X%</script></math>", "<math><style><img src=x onerror=%X%></style></math>", "<math alttext='<img src=x onerror=%X%>'><mi>x</mi></math>", "<math alttext='</p><script>%X%</script>'></math>", "<math><ms><table><td><img src=x onerror=%X%>", "<math><mglyph src=javascript:%X%></math>",
    "<xml><i><b><img src=x onerror=%X%></b></i></xml>", "<xml id=x><a><b>&lt;script>%X%&lt;/script></b></a></xml>", "<?xml version=1.0?><img src=x onerror=%X%>", "<?xml-stylesheet href='javascript:%X%'?>", "<svg><svg><desc><svg><script>%X%</script>", "<svg><font color=x><script>%X%</script>", "<svg><font><img src=x onerror=%X%>", "<math><malignmark><img src=x onerror=%X%>", "<svg></svg><svg/><img src=x onerror=%X%>",
]

# What one parser reads as text and another as elements.
MUTATIONS = [
    # Around the elements of formulas that stay.
    "<math alttext='<img src=x onerror=%X%>'></math>", "<math alttext=\"--><img src=x onerror=%X%>\"><mi>x</mi></math>", "<math><mi></math><img src=x onerror=%X%></mi></math>",
    "<math><mi><p><style><!--</style><img title='--&gt;&lt;img src=1 onerror=%X%&gt;'></mi></math>", "<math><mrow><style><a title='</style><img src=1 onerror=%X%>'></style></mrow></math>",
    "<math><mtable><mtr><mtd><table><td><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=%X%&gt;'>", "<table><tr><math><mtd><td><mi><img src=x onerror=%X%></math></table>",
    "<math><mo><svg><desc><math><mi><mglyph><style></math><img src onerror=%X%>", "<math><mn><option><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=%X%&gt;'></option>",
    "<p><math><mtext><p><math><mtext><mglyph><style></p><img src=x onerror=%X%>", "<math><mfrac><mi>&lt;img src=x onerror=%X%&gt;</mi><ms>&lt;/math&gt;&lt;script&gt;%X%&lt;/script&gt;</ms></mfrac></math>",
    "<math><mspace><img src=x onerror=%X%></mspace><none><script>%X%</script></none></math>", "<math display=block style='position:fixed' onclick=%X%><mi href=javascript:%X% onclick=%X% tabindex=1>x</mi></math>",
    "<math><semantics><mi>x</mi><annotation-xml encoding=text/html><math><mi><img src=x onerror=%X%></mi></math></annotation-xml></semantics></math>", "<math><a><mi>x</mi><img src=x onerror=%X%></a></math>",
    "<b><math><mi><p></b><math><mtext></p><img src=x onerror=%X%>", "<math><mi id=a name=b><form><math><mtext></form><form><mglyph><style></math><img src onerror=%X%></mi></math>",
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=%X%&gt;'>", "<math><mtext><table><mglyph><style><math><img src onerror=%X%>", "<math><mtext><mglyph><svg><mtext><textarea><path id='</textarea><img onerror=%X% src=1>'>",
    "<form><math><mtext></form><form><mglyph><style></math><img src onerror=%X%>", "<form><math><mtext></form><form><mglyph><svg><mtext><style><path id=\"</style><img onerror=%X% src>\">", "<form><math><mtext><form><mglyph><style><img src=x onerror=%X%></style>", "<svg></p><style><a id=\"</style><img src=1 onerror=%X%>\">", "<svg></br><style><a id=\"</style><img src=1 onerror=%X%>\">",
    "<svg><style><a id=\"</style><img src=1 onerror=%X%>\">", "<math></p><style><a title=\"</style><img src=1 onerror=%X%>\">", "<svg><p><style><a id=\"</style><img src=1 onerror=%X%>\">", "<svg></p><title><a id=\"</title><img src=1 onerror=%X%>\">", "<svg></p><textarea><a id=\"</textarea><img src=1 onerror=%X%>\">", "<svg></p><noscript><a id=\"</noscript><img src=1 onerror=%X%>\">",
    "<noscript><p title=\"</noscript><img src=1 onerror=%X%>\">", "<noscript><!--</noscript><img src=1 onerror=%X%>-->", "<noscript><style></noscript><img src=1 onerror=%X%></style>", "<noscript><a title='</noscript><svg onload=%X%>'></a></noscript>", "<noscript>&lt;/noscript>&lt;img src=1 onerror=%X%></noscript>", "<noembed><p title='</noembed><img src=1 onerror=%X%>'>", "<noframes><p title='</noframes><img src=1 onerror=%X%>'>",
    "<noframes><!--</noframes><img src=1 onerror=%X%>-->", "<iframe><p title='</iframe><img src=1 onerror=%X%>'></iframe>", "<iframe><!--</iframe><img src=1 onerror=%X%>", "<xmp><p title='</xmp><img src=1 onerror=%X%>'></xmp>", "<xmp><img src=1 onerror=%X%></xmp>", "<xmp>&lt;/xmp>&lt;img src=1 onerror=%X%></xmp>", "<listing>&lt;img src=1 onerror=%X%></listing>", "<listing>\n\n<img src=1 onerror=%X%></listing>", "<plaintext></plaintext><img src=1 onerror=%X%>",
    "<plaintext>&lt;img src=1 onerror=%X%>", "<style><p title='</style><img src=1 onerror=%X%>'></style>", "<style><!--</style><img src=1 onerror=%X%>--></style>", "<style>*{content:'</style><img src=1 onerror=%X%>'}</style>", "<title><p title='</title><img src=1 onerror=%X%>'></title>", "<title>&lt;/title>&lt;img src=1 onerror=%X%></title>", "<textarea><p title='</textarea><img src=1 onerror=%X%>'></textarea>", "<textarea>&lt;/textarea>&lt;img src=1 onerror=%X%></textarea>",
    "<textarea>\n\n</textarea><img src=1 onerror=%X%>", "<template><script>%X%</script></template>", "<template><img src=1 onerror=%X%></template>", "<template><template></template><img src=1 onerror=%X%></template>", "<template></template><template shadowrootmode=open><img src=1 onerror=%X%></template>", "<div><template shadowrootmode=open><slot></slot><script>%X%</script></template>x</div>", "<div><template shadowroot=open><script>%X%</script></template></div>", "<template><tr><td><script>%X%</script></template>",
    "<template><style></template><img src=1 onerror=%X%></style>", "<template><p title='</template><img src=1 onerror=%X%>'></template>", "<svg><template><img src=1 onerror=%X%></template></svg>", "<table><template><img src=1 onerror=%X%></template></table>", "<select><template><img src=1 onerror=%X%></template></select>", "<select><style></select><img src=1 onerror=%X%></style></select>", "<select><option><style></option></select><b><img src=1 onerror=%X%></style></option></select></b>", "<select><script>%X%</script></select>", "<select><iframe></select><img src=1 onerror=%X%></iframe></select>",
    "<select><img src=1 onerror=%X%></select>", "<select><svg><style></select><img src=1 onerror=%X%>", "<select><option><img src=1 onerror=%X%></option></select>", "<select><button><selectedcontent></selectedcontent></button><option><img src=1 onerror=%X%></select>", "<select multiple><xmp></select><img src=1 onerror=%X%></xmp>", "<select><textarea></select><img src=1 onerror=%X%></textarea>", "<datalist><option><style></datalist><img src=1 onerror=%X%></style>", "<keygen><style></keygen><img src=1 onerror=%X%>",
    "<table><style></table><img src=1 onerror=%X%></style></table>", "<table><script>%X%</script></table>", "<table><tr><style></tr></table><img src=1 onerror=%X%></style>", "<table><input type=hidden onfocus=%X%><img src=1 onerror=%X%></table>", "<table><td><table><img src=1 onerror=%X%>", "<table><caption><svg><style></caption><img src=1 onerror=%X%>", "<table><colgroup><template><img src=1 onerror=%X%>", "<table><svg><td><img src=1 onerror=%X%></svg></table>", "<table><math><tr><td><style></math><img src=1 onerror=%X%>", "<table><form><table></form><img src=1 onerror=%X%>",
    "<table><a href=javascript:%X%>x<tr><td>y", "<table><select><tr><td><img src=1 onerror=%X%>", "<table>&lt;img src=1 onerror=%X%></table>", "<caption><script>%X%</script>", "<tr><td><script>%X%</script>", "<td><img src=1 onerror=%X%>", "<col><script>%X%</script>", "<body><script>%X%</script>", "<head><script>%X%</script>", "<frameset><noframes><img src=1 onerror=%X%></noframes></frameset>", "<frameset></frameset><img src=1 onerror=%X%>",
    "<form><form><img src=1 onerror=%X%></form></form>", "<form><div></form><form><img src=1 onerror=%X%>", "<p><form><p></form><img src=1 onerror=%X%>", "<a><a href=javascript:%X%>x</a></a>", "<a><table><a href=javascript:%X%>x</table>", "<b><p><b><i><p></b><img src=1 onerror=%X%></i>", "<a><div><a href=javascript:%X%>x</div></a>", "<nobr><nobr><img src=1 onerror=%X%>", "<button><button><img src=1 onerror=%X%></button></button>", "<applet><object><marquee></applet><img src=1 onerror=%X%>", "<h1><h2><img src=1 onerror=%X%></h1></h2>",
    "<li><li><p><li><img src=1 onerror=%X%>", "<dd><dt><img src=1 onerror=%X%></dd>", "<ruby><rb><rtc><rt><img src=1 onerror=%X%>", "<p></p></p></br><img src=1 onerror=%X%>", "<dialog><p><dialog><img src=1 onerror=%X%>", "<pre>\n\n<img src=1 onerror=%X%></pre>", "<pre>\n&#10;&lt;script>%X%&lt;/script></pre>", "<isindex><img src=1 onerror=%X%>", "<option><optgroup><img src=1 onerror=%X%>", "<font><svg><font color=x><img src=1 onerror=%X%>",
    "<!--><img src=1 onerror=%X%>-->", "<!---><img src=1 onerror=%X%>-->", "<!----!><img src=1 onerror=%X%>-->", "<!-- --!><img src=1 onerror=%X%>-->", "<!--<!--><img src=1 onerror=%X%>-->", "<!-- x --\n><img src=1 onerror=%X%>-->", "<!-><img src=1 onerror=%X%>", "<!x><img src=1 onerror=%X%>", "<?x><img src=1 onerror=%X%>", "</ ><img src=1 onerror=%X%>", "</x title='<img src=1 onerror=%X%>'>", "<![CDATA[<img src=1 onerror=%X%>]]>", "<![CDATA[ ><img src=1 onerror=%X%> ]]>", "<!DOCTYPE x [<!ENTITY y '<img src=1 onerror=%X%>'>]>&y;", "<![endif]--><img src=1 onerror=%X%>",
    "<!--[if gte IE 4]><script>%X%</script><![endif]-->", "<!--[if !IE]>--><img src=1 onerror=%X%><!--<![endif]-->", "<comment><img src='</comment><img src=x onerror=%X%>'>", "<! foo='><img src=1 onerror=%X%>'>", "</ foo='><img src=1 onerror=%X%>'>", "<? foo='><img src=1 onerror=%X%>'>", "<% foo><x foo='%><img src=1 onerror=%X%>'>", "&lt;img src=1 onerror=%X%&gt;", "&amp;lt;img src=1 onerror=%X%&amp;gt;", "%E[<img src=1 onerror=%X%>]%", "%Q[<img src=1 onerror=%X%>]%", "\\u003cimg src=1 onerror=%X%\\u003e", "\\x3cimg src=1 onerror=%X%\\x3e", "＜img src=1 onerror=%X%＞", "+ADw-img src=1 onerror=%X%+AD4-",
    "<p title='&quot;&gt;&lt;img src=1 onerror=%X%&gt;'>x", "<p title=\"'><img src=1 onerror=%X%>\">x", "<img alt='--><img src=1 onerror=%X%>' src=x>", "<img alt='</style><img src=1 onerror=%X%>'>", "<p title='</noscript></style></title></textarea></xmp></script><img src=1 onerror=%X%>'>x", "<p id='\"><img src=1 onerror=%X%>'>x", "<a name='\"><img src=1 onerror=%X%>'>x", "<p lang='\"><img src=1 onerror=%X%>' dir='\"><script>'>x", "<td abbr='</table><img src=1 onerror=%X%>'>x", "<time datetime='\"onclick=%X% x=\"'>x</time>", "<p <img src=1 onerror=%X%>>x", "<p/<img/src=1/onerror=%X%>", "<p =\"<img src=1 onerror=%X%>\">x", "<p x=\"`\"><img alt=\"` onerror=%X% src=1\">",
    "<a\"onclick=%X%>x", "<p'onclick='%X%'>x", "<b/onclick=%X%>x", "<p onclick=%X%//>x", "<abc:script>%X%</abc:script>", "<html:script xmlns:html='http://www.w3.org/1999/xhtml'>%X%</html:script>", "<x:script xmlns:x='http://www.w3.org/1999/xhtml'>%X%</x:script>", "<o:p onclick=%X%>x</o:p>", "<div xmlns='http://www.w3.org/2000/svg'><script>%X%</script></div>", "<\u017fcript>%X%</script>", "<scrıpt>%X%</scrıpt>",
]

NAMES = [
    "<a id=alert href=x></a><form id=document></form>", "<form id=x><input name=attributes><input name=parentNode></form><img src=x onerror=%X%>", "<form name=body><input name=firstChild></form>", "<img name=getElementById><img name=cookie>", "<a id=defaultView><a id=defaultView name=document href=javascript:%X%>x</a>", "<iframe name=hit srcdoc='<a id=x>'></iframe>", "<form id=self name=top><button id=location name=href>x</form>",
    "<p id=__proto__>x</p><p id=constructor name=prototype>y</p>", "<object id=hit></object><embed name=hit>", "<a id=lct-x name=lct-y>x</a>", "<p id='a b' name=\"x'\">x", "<form id=test onclick=%X%><input name=onclick></form>", "<input name=nodeName form=f><form id=f><img src=x onerror=%X%></form>", "<p slot=x part=y is=z class=w nonce=n exportparts=e itemid=%U% inert hidden>x</p>", "<output for=x name=y>z</output><label for=login>x</label>",
]

STYLES = [
    "<p style='background:url(%U%/css)'>x", "<p style='background:url(javascript:%X%)'>x", "<p style='width:expression(%X%)'>x", "<p style='width:exp/**/ression(%X%)'>x", "<p style='-moz-binding:url(%U%/x.xml#x)'>x", "<p style='behavior:url(%U%/x.htc)'>x", "<p style='position:fixed;inset:0;z-index:9'>x", "<p style='text-align:center;background:url(%U%/css)'>x", "<p style='text-align:url(%U%/css)'>x", "<p style='text-align:\\63 enter;b\\61 ckground:url(%U%/css)'>x",
    "<p style='font-family:\"x;text-align:center\";background:url(%U%/css)'>x", "<p style='list-style:url(%U%/css)'><li style='list-style:square url(%U%/css)'>x", "<p style='text-align:center}body{background:url(%U%/css)'>x", "<p style='--x:url(%U%/css);background:var(--x)'>x", "<p style='/*;*/text-align:center/*;background:url(%U%/css)*/'>x", "<p style='@import \"%U%/css\";text-align:left'>x", "<p style='text-align:left\0;background:url(%U%/css)'>x", "<p style=\"text-align:center\" style=\"background:url(%U%/css)\">x",
    "<p style='content:url(%U%/css);cursor:url(%U%/css),auto;filter:url(%U%/css#x);mask:url(%U%/css)'>x", "<p style='border-image:image-set(\"%U%/css\" 1x)'>x", "<style>@import url(%U%/x.css);</style>", "<style>@import '%U%/x.css'</style>", "<style>@font-face{font-family:x;src:url(%U%/f)}*{font-family:x}</style>x", "<style>input[value^=a]{background:url(%U%/css)}</style>", "<style>*{background:url(%U%/css)}</style><p>x", "<link rel=stylesheet href='data:text/css,*{background:url(%U%/css)}'>",
    "<style>@media all{*{background:url(%U%/css)}}</style><p>x", "<style>:root{background:url(javascript:%X%)}</style>", "<style media=x onload=%X%>x</style>", "<table style='background:url(%U%/css)'><td style='background-image:url(\"%U%/css\")'>x", "<p style='direction:rtl;unicode-bidi:bidi-override'>x", "<p style='text-decoration:underline url(%U%/css)'>x", "<p style=\"vertical-align:super'onclick=%X%\">x",
]

# One text for many places.
POLYGLOTS = [
    "jaVasCript:/*-/*`/*\\`/*'/*\"/**/(/* */onerror=%X% )//%0D%0A%0d%0a//</stYle/</titLe/</teXtarEa/</scRipt/--!>\\x3csVg/<sVg/oNloAd=%X%//>\\x3e", "'\"><img src=x onerror=%X%>", "\"onclick=%X% x=\"", "'-%X%-'", "</script><svg onload=%X%>", "--></style></title></textarea></noscript></xmp></template></select></table><img src=x onerror=%X%>", "]]>\"'--><svg/onload=%X%>", "<svg/onload=%X%//<img src=x onerror=%X%//", "`\"'><img src=`x` onerror=%X%>",
    "<img src=x onerror=%X%><svg onload=%X%><details open ontoggle=%X%><a href=javascript:%X%>x</a>", "<math><a xlink:href=javascript:%X%>x</a></math><svg><a href=javascript:%X%><text>x", "<p>" * 520 + "<img src=x onerror=%X%>", "<div>" * 510 + "<svg><style><a id=\"</style><img src=1 onerror=%X%>\">", "<b>" * 513 + "<script>%X%</script>", "<table><td>" * 180 + "<img src=x onerror=%X%>", "<svg>" * 511 + "<foreignObject><img src=x onerror=%X%>", "<div>" * 255 + "<table><tr><td><ul><li><a href=javascript:%X%>x</a><img src=x onerror=%X%>",
    "<span>" * 256 + "<pre>\n\n<xmp><img src=x onerror=%X%>", "<math><mtext>" * 250 + "<table><mglyph><style><img src=x onerror=%X%>", "<form><math><mtext></form>" * 90 + "<form><mglyph><style></math><img src onerror=%X%>", "<a id=x>" * 300 + "<img src=x onerror=%X%>", "<p onclick=%X% " + "a%d=b " * 300 % tuple(range(300)) + ">x", "<p title='" + "x" * 70_000 + "' onclick=%X%>y", "<template>" * 300 + "<img src=x onerror=%X%>", "<select>" * 9 + "<style></select><img src=x onerror=%X%>",
]

CLASSES = {"scripts": SCRIPTS, "events": EVENTS, "addresses": ADDRESSES, "foreign": FOREIGN, "mutations": MUTATIONS, "names": NAMES, "styles": STYLES, "polyglots": POLYGLOTS}

# Places that change how what stands in them is read.
CONTEXTS = [
    "<div>{}</div>", "<p>{}", "<b>{}", "<a href=x>{}</a>", "<svg>{}</svg>", "<svg><desc>{}", "<svg><foreignObject>{}</foreignObject></svg>", "<svg><title>{}", "<svg></p>{}", "<svg><style>{}</style></svg>", "<math>{}</math>", "<math><mtext>{}", "<math><mi>{}</mi></math>", "<math><annotation-xml encoding=text/html>{}", "<math><annotation-xml>{}</annotation-xml></math>", "<math></br>{}",
    "<math><mtext><table><mglyph>{}", "<form>{}</form>", "<form><math><mtext></form><form><mglyph>{}", "<table>{}</table>", "<table><tr>{}", "<table><td>{}</td></table>", "<table><caption>{}", "<table><colgroup>{}", "<table><svg>{}", "<select>{}</select>", "<select><option>{}", "<template>{}</template>", "<noscript>{}</noscript>", "<noembed>{}</noembed>", "<noframes>{}</noframes>", "<iframe>{}</iframe>",
    "<xmp>{}</xmp>", "<textarea>{}</textarea>", "<title>{}</title>", "<style>{}</style>", "<script>{}</script>", "<listing>\n{}", "<pre>\n{}</pre>", "<plaintext>{}", "<button>{}</button>", "<object>{}</object>", "<applet>{}", "<marquee>{}</marquee>", "<video>{}</video>", "<picture>{}</picture>", "<ruby><rt>{}", "<ul><li>{}", "<dl><dd>{}<dt>", "<h1>{}<h2>", "<details open><summary>{}</summary>", "<nobr>{}<nobr>",
    "<font>{}", "<center>{}</center>", "<frameset>{}", "<body>{}</body>", "<head>{}</head>", "<html>{}</html>", "<!--{}-->", "<!--{}--!>", "<![CDATA[{}]]>", "<?{}?>", "<p title='{}'>", "<p title=\"{}\">x", "<a href='{}'>x</a>", "<img alt='{}' src=x>", "<p style='{}'>x", "<svg><path id='{}'>", "<style><a id=\"</style>{}\">", "{}{}", "x{}<p>y", "<x-y>{}</x-y>", "</p>{}</br>", "<table><form>{}</table>",
    "<a><div>{}<a>", "<p><table>{}", "<b><p>{}</b>", "<div>" * 60 + "{}",
]


def fill(vector, number, address):
    """The vector with its marks filled in; `number` names it."""
    for mark, text in {"%X%": f"hit({number})", "%T%": f"top.hit({number})", "%M%": f"top.postMessage({number},`*`)", "%U%": f"{address}/{number}"}.items():
        vector = vector.replace(mark, text)
    for kind, encode in {
        "E": lambda text: "".join(f"&#{ord(letter)};" for letter in text), "H": lambda text: "".join(f"&#x{ord(letter):x}" for letter in text),
        "Q": lambda text: quote(text, safe=""), "B": lambda text: base64.b64encode(text.encode()).decode(),
    }.items():
        vector = re.sub(rf"%{kind}\[(.*?)\]%", lambda found: encode(found[1]), vector, flags=re.DOTALL)
    return vector


def vectors():
    return [vector for vectors in CLASSES.values() for vector in vectors]


def combinations(count, seed):
    """Vectors in contexts in contexts, some with a character changed."""
    chance = random.Random(seed)
    plain = [vector for vector in vectors() if len(vector) < 400]

    def once():
        text = chance.choice(plain)
        for _ in range(chance.randrange(1, 4)):
            text = chance.choice(CONTEXTS).replace("{}", text)
            if chance.random() < 0.2:
                text = chance.choice(plain) + text
        if chance.random() < 0.3:
            at = chance.randrange(len(text))
            text = text[:at] + chance.choice(["\0", "\t", "\n", "\r", "\f", "/", "<", ">", "\"", "'", "`", "=", "&", "&#0;", "-->", "]]>", "</", "\ufeff", "\u2028"]) + text[at + chance.randrange(2):]
        return text
    return [once() for _ in range(count)]
